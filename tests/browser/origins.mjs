// Pages of other origins. The browser, not the server, is what keeps a page from reading an answer.
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { once } from 'node:events';
import { startServer, test } from './harness.mjs';
import { EASY, EASY_SOLVED } from './helpers.mjs';

/** An empty page of an origin of its own: the same host, another port. */
async function startPage() {
  const server = createServer((request, response) => {
    response.setHeader('Content-Type', 'text/html');
    response.end('<!doctype html><title>Another origin</title>');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { origin: `http://127.0.0.1:${server.address().port}`, stop: () => server.close() };
}

/** What a script in the page can read of an answer; or that it can read nothing. */
const ask = (page, url, options) => page.evaluate(async ([url, options]) => {
  try {
    const answer = await fetch(url, options);
    return { status: answer.status, headers: Object.fromEntries(answer.headers), body: await answer.text() };
  } catch (error) {
    return { refused: error.name };
  }
}, [url, options]);

const json = (puzzle, more) => ({
  method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify({ puzzle, ...more }),
});

/** In a page of its own, as refused calls are told in its console as errors. */
const elsewhere = async (context, run) => {
  const other = await startPage();
  const page = await context.newPage();
  try {
    await page.goto(other.origin);
    await run(page, other.origin);
  } finally {
    await page.close();
    other.stop();
  }
};

test('origins: a page elsewhere solves, and reads answers and errors with their headers', ({ context, origin }) =>
  elsewhere(context, async page => {
    const solved = await ask(page, `${origin}/solve`, json(EASY));
    assert.equal(solved.status, 200);
    assert.equal(JSON.parse(solved.body).solution, EASY_SOLVED);
    assert.equal(solved.headers['sudoku-status'], 'unique');
    assert.equal(solved.headers['sudoku-solution-count'], '1');
    assert.match(solved.headers['server-timing'], /^queue;dur=[\d.]+, solve;dur=[\d.]+$/);

    const wrong = await ask(page, `${origin}/solve`, json(EASY, { max_step: 5 }));
    assert.equal(wrong.status, 422);
    assert.equal(wrong.headers['content-type'], 'application/problem+json');
    const problem = JSON.parse(wrong.body);
    assert.equal(problem.type, '/problems/invalid-request');
    assert.equal(problem.errors[0].pointer, '/max_step');
    assert.equal(wrong.headers['x-request-id'], problem.instance);

    const named = await ask(page, `${origin}/solve`, {
      ...json('12'), headers: { 'Content-Type': 'application/json', 'X-Request-Id': 'from-elsewhere' },
    });
    assert.equal(named.headers['x-request-id'], 'from-elsewhere');

    const xml = await ask(page, `${origin}/solve`, { method: 'POST', headers: { 'Content-Type': 'text/xml' }, body: '<a/>' });
    assert.equal(xml.status, 415);
    assert.match(xml.headers['accept-post'], /application\/json/);

    const text = await ask(page, `${origin}/solve`, { method: 'POST', body: EASY }); // no preflight
    assert.equal(text.body, EASY_SOLVED + '\n');

    const got = await ask(page, `${origin}/solve?puzzle=${EASY}`);
    assert.match(got.headers.etag, /^"[0-9a-f]{16}"$/);
    const again = await ask(page, `${origin}/solve?puzzle=${EASY}`, { headers: { 'If-None-Match': got.headers.etag }, cache: 'no-store' });
    assert.equal(again.status, 304);

    const lost = await ask(page, `${origin}/nowhere`);
    assert.equal(lost.status, 404);
    assert.equal(JSON.parse(lost.body).type, '/problems/not-found');

    const batch = await ask(page, `${origin}/solve`, {
      method: 'POST', headers: { 'Content-Type': 'application/x-ndjson' }, body: `{"puzzle":"${EASY}"}\n{"puzzle":"12"}\n`,
    });
    const lines = batch.body.trimEnd().split('\n').map(JSON.parse);
    assert.deepEqual(lines.map(line => line.status), ['unique', 422]);
  }));

test('origins: those that are not named read nothing, the one that is named does', ({ context, program }) =>
  elsewhere(context, async (page, other) => {
    for (const [origins, reads] of [['https://elsewhere.example', false], [`https://elsewhere.example,${other}`, true], ['none', false]]) {
      const server = await startServer(program, '--cors-origins', origins);
      try {
        for (const options of [json(EASY), json('12'), { method: 'POST', body: EASY }]) {
          const answer = await ask(page, `${server.origin}/solve`, options);
          if (reads)
            assert.ok(answer.status === 200 || answer.status === 422, JSON.stringify(answer));
          else
            assert.deepEqual(answer, { refused: 'TypeError' });
        }
      } finally {
        server.stop();
      }
    }
  }));
