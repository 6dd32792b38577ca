// The service, as a client calls it.

/** The server answered with a problem (RFC 9457), or with something that is none. */
export class Refusal extends Error {
  constructor(problem) {
    super(problem.detail);
    this.problem = problem;
  }
}

/** Nothing came back, or not all. */
export class Unreachable extends Error {}

const noteLoss = error => {
  throw error instanceof TypeError ? new Unreachable(error.message) : error;
};

async function post(path, type, body, signal) {
  const reply = await fetch(path, { method: 'POST', headers: { 'Content-Type': type }, body, signal }).catch(noteLoss);
  if (!reply.ok)
    throw new Refusal(await reply.json().catch(() => ({ status: reply.status, detail: `HTTP ${reply.status}` })));
  return reply;
}

export async function ask(path, question, signal) {
  const reply = await post(path, 'application/json', JSON.stringify(question), signal);
  return JSON.parse(await reply.text().catch(noteLoss));
}

/** Many puzzles, a line each: yields [status, count, solution or reason], some at a time. */
export async function* askMany(lines, signal) {
  // The column's name makes even one a table.
  const reply = await post('/solve', 'text/plain', 'puzzle\n' + lines.join('\n'), signal);
  const reader = reply.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  let left = lines.length;
  for (let part; !(part = await reader.read().catch(noteLoss)).done;) {
    const rows = (rest + part.value).split('\n').map(row => row.split('\t'));
    rest = rows.pop().join('\t');
    left -= rows.length;
    if (left < 0 || rows.some(row => row.length < 3))
      throw new Refusal({ detail: part.value.slice(0, 200) });
    yield rows;
  }
  if (left)
    throw new Unreachable();
}

// ---- The same call, to copy ----

export const asCurl = (path, question) =>
  `curl -s ${location.origin}${path} \\\n  -H 'Content-Type: application/json' \\\n` +
  `  -d '${JSON.stringify(question, null, 2)}'`;

export const asFetch = (path, question) =>
  `const reply = await fetch('${location.origin}${path}', {\n  method: 'POST',\n` +
  `  headers: { 'Content-Type': 'application/json' },\n` +
  `  body: JSON.stringify(${JSON.stringify(question, null, 2).replaceAll('\n', '\n  ')}),\n});\nconst answer = await reply.json();`;
