// A server to be tested, and requests to it.
import { spawn } from 'node:child_process';
import http from 'node:http';
import net from 'node:net';
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
    const isChunked = 'Transfer-Encoding' in headers;
    const length = bytes === undefined || isChunked ? {} : { 'Content-Length': bytes.length };
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

// Sends bytes as they are, and leaves the connection open: for what http.request does not send. The
// answer must be whole when the server closes the connection.
export function askRaw(server, bytes) {
  return new Promise((resolve, reject) => {
    const chunks = [];
    const socket = net.connect(server.port, '127.0.0.1', () => socket.write(bytes));
    socket.on('data', (chunk) => chunks.push(chunk));
    socket.on('error', reject);
    socket.on('close', () => {
      const [head, body] = Buffer.concat(chunks).toString().split(/\r\n\r\n(.*)/s);
      const [line, ...lines] = head.split('\r\n');
      const headers = Object.fromEntries(lines.map((text) => {
        const [name, value] = text.split(/: (.*)/s);
        return [name.toLowerCase(), value];
      }));
      resolve({ status: Number(line.split(' ')[1]), headers, body: Buffer.from(body ?? '') });
    });
  });
}
