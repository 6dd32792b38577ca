// Answers many puzzles in one text/plain body as the contract has it (status, count, solution, each
// line in order), one by one through the server's own JSON. For servers that do not take such bodies.

const LINE = /^[0-9.]{81}$/;

export async function takesBatches(origin) {
  const line = '53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79';
  const reply = await fetch(`${origin}/solve`, {
    method: 'POST', headers: { 'Content-Type': 'text/plain' }, body: `${line}\n${line}\n`,
  });
  const text = await reply.text();
  return reply.ok && text.trim().split('\n').every(row => row.split('\t').length >= 3);
}

async function answer(origin, puzzle) {
  const reply = await fetch(`${origin}/solve`, {
    method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify({ puzzle }),
  });
  const { status, solution_count: count, solution, detail } = await reply.json();
  return reply.ok ? `${status}\t${count}\t${solution ?? '-'}` : `error\t-\t${detail}`;
}

/** Routes the text/plain bodies of a page to the stand-in; all else goes to the server. */
export const standIn = (page, origin) => page.route('**/solve', async route => {
  const request = route.request();
  if (request.headers()['content-type'] !== 'text/plain')
    return route.continue();
  const lines = request.postData().trimEnd().split('\n');
  if (!lines.every(line => LINE.test(line)))
    return route.fulfill({ status: 400, contentType: 'application/problem+json', body: '{"detail":"stand-in"}' });
  const rows = await Promise.all(lines.map(line => answer(origin, line)));
  return route.fulfill({ contentType: 'text/plain; charset=utf-8', body: rows.join('\n') + '\n' });
});
