// The service, as a client calls it.

/** The server answered with a problem (RFC 9457), or with something that is none. */
export class Refusal extends Error {
  constructor(problem) {
    super(problem.detail);
    this.problem = problem;
  }
}

/** Nothing came back. */
export class Unreachable extends Error {}

async function send(path, type, body, signal) {
  let reply, text;
  try {
    reply = await fetch(path, { method: 'POST', headers: { 'Content-Type': type }, body, signal });
    text = await reply.text();
  } catch (error) {
    if (error.name === 'AbortError')
      throw error;
    throw new Unreachable(error.message);
  }
  if (reply.ok)
    return text;
  let problem;
  try {
    problem = JSON.parse(text);
  } catch {
    problem = { status: reply.status, detail: `HTTP ${reply.status}` };
  }
  throw new Refusal(problem);
}

export const ask = async (path, question, signal) =>
  JSON.parse(await send(path, 'application/json', JSON.stringify(question), signal));

/** Many puzzles, a line each: for each its [status, count, solution or reason]. */
export async function askMany(lines, signal) {
  const text = await send('/solve', 'text/plain', lines.join('\n') + '\n', signal);
  const rows = text.trimEnd().split('\n').map(line => line.split('\t'));
  if (rows.length !== lines.length || rows[0].length < 3)
    throw new Refusal({ detail: text.slice(0, 200) });
  return rows;
}

// ---- The same call, to copy ----

export const asCurl = (path, question) =>
  `curl -s ${location.origin}${path} \\\n  -H 'Content-Type: application/json' \\\n` +
  `  -d '${JSON.stringify(question, null, 2)}'`;

export const asFetch = (path, question) =>
  `const reply = await fetch('${location.origin}${path}', {\n  method: 'POST',\n` +
  `  headers: { 'Content-Type': 'application/json' },\n` +
  `  body: JSON.stringify(${JSON.stringify(question, null, 2).replaceAll('\n', '\n  ')}),\n});\nconst answer = await reply.json();`;
