// A server to be tested, and requests to it.
import { spawn } from 'node:child_process';
import http from 'node:http';
import readline from 'node:readline';

// The request id of every request that does not choose its own, and so that of the examples.
export const ID = '1f3c5a7e9b2d4068';

const running = new Set();
process.on('exit', () => running.forEach((child) => child.kill('SIGKILL')));

export async function start(sudokud, ...flags) {
  const child = spawn(sudokud, ['--port=0', ...flags], { stdio: ['ignore', 'ignore', 'pipe'] });
  running.add(child);
  const exited = new Promise((resolve) => child.on('exit', (code) => {
    running.delete(child);
    resolve(code);
  }));
  const lines = readline.createInterface({ input: child.stderr });
  const port = await new Promise((resolve, reject) => {
    lines.on('line', (line) => {
      const event = line.startsWith('{') ? JSON.parse(line) : {};
      if (event.event === 'listening') resolve(event.port);
    });
    exited.then((code) => reject(new Error(`the server ended with ${code}: ${flags.join(' ')}`)));
  });
  return {
    port,
    signal: (name) => child.kill(name),
    exited,
    stop() {
      child.kill('SIGTERM');
      return exited;
    },
  };
}

// Sends a request. Headers that come twice are joined, as clients do.
export function ask(server, { method = 'GET', path, headers = {}, body }) {
  return new Promise((resolve, reject) => {
    const bytes = body === undefined ? undefined : Buffer.from(body);
    const length = bytes === undefined ? {} : { 'Content-Length': bytes.length };
    const request = http.request({
      host: '127.0.0.1',
      port: server.port,
      method,
      path,
      headers: { 'X-Request-Id': ID, ...length, ...headers },
      agent: false,
    });
    let answered = false;
    request.on('response', (response) => {
      answered = true;
      const chunks = [];
      response.on('data', (chunk) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => {
        const got = {};
        for (const [name, values] of Object.entries(response.headersDistinct))
          got[name] = values.join(', ');
        resolve({ status: response.statusCode, headers: got, body: Buffer.concat(chunks) });
      });
    });
    // A body that is refused early may meet a closed connection.
    request.on('error', (error) => answered || reject(error));
    request.end(bytes);
  });
}
