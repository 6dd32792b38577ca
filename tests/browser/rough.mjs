// When things go wrong: servers that are slow, busy, gone or strict, odd files, odd browsers.
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { startServer, test } from './harness.mjs';
import {
  cell, CLASH, drop, EASY, EASY_SOLVED, EMPTY, head, NONE, open, puzzleIs, shown, SLOW, text, until,
} from './helpers.mjs';

test('slow answers: clashes are seen meanwhile, and what was said before goes', async ({ page, origin }) => {
  await open(page, origin, EASY);
  await head(page, 'Exactly one solution');
  await page.route('**/validate', () => {});
  await cell(page, 1, 3).click();
  await page.keyboard.type('3');
  await head(page, 'Conflicts: 2');
  assert.equal(await page.locator('.bad').count(), 2);
  await page.keyboard.type('4');
  await head(page, 'Searching');
});

test('server gone: said so, and what the page can do by itself it does', async ({ page, program }) => {
  const server = await startServer(program);
  await open(page, server.origin, EASY);
  await head(page, 'Exactly one solution');
  server.stop();
  await cell(page, 1, 3).click();
  await page.keyboard.type('4');
  await head(page, 'No connection');
  await page.click('#solve');
  await page.locator('#line', { hasText: 'without the server' }).waitFor();
  assert.equal(await shown(page), EASY_SOLVED);
  await drop(page, 'many.txt', `${EASY}\n${NONE}\n`);
  await page.locator('#bulk-said', { hasText: 'Stopped after 0 of 2. The server cannot be reached' }).waitFor();
});

test('a proxy that answers in place of the server: the page kept is used', async ({ page, program }) => {
  const server = await startServer(program);
  await page.goto(server.origin);
  await page.evaluate(() => navigator.serviceWorker.ready);
  await until(page, () => navigator.serviceWorker.controller);
  server.stop();
  const proxy = createServer((_, reply) => reply.writeHead(502).end('Bad Gateway'));
  for (let isUp = false; !isUp;) // until the port is free
    isUp = await new Promise(resolve => proxy.once('error', () => setTimeout(resolve, 20, false))
      .listen(new URL(server.origin).port, '127.0.0.1', () => resolve(true)));
  await page.goto(`${server.origin}/#${EASY}`);
  await page.reload();
  await head(page, 'The server refused');
  assert.equal(await text(page, 'line'), 'HTTP 502');
  assert.equal(await shown(page), EASY);
  proxy.closeAllConnections();
  proxy.close();
}, { serviceWorkers: 'allow' });

test('larger budgets are offered up to what the server allows, and no further', async ({ page, program }) => {
  const server = await startServer(program, '--max-steps', '1500000');
  await open(page, server.origin, SLOW);
  await page.click('#solve');
  await page.getByRole('button', { name: 'Search on, 10,000,000 steps' }).click();
  await page.getByRole('button', { name: 'Search on, 1,500,000 steps' }).click();
  await page.locator('#line', { hasText: 'The budget of 1,500,000 steps ended first. The server allows no more.' }).waitFor();
  assert.ok(await page.locator('#longer').isHidden());
  server.stop();
});

test('cancel a search that the server really runs', async ({ page, origin }) => {
  await page.route('**/solve', (route, request) => route.continue({
    postData: JSON.stringify({ ...request.postDataJSON(), max_solutions: 1000000, max_steps: 10000000 }) }));
  await open(page, origin, `${EMPTY.slice(6)}123456`);
  await page.click('#solve');
  await page.getByRole('button', { name: 'Cancel' }).click();
  await head(page, 'Cancelled');
  await cell(page, 5, 5).click();
  await page.keyboard.type('7');
  await head(page, 'Several solutions');
});

test('bulk: a server too busy is asked again, for less', async ({ page }) => {
  const asked = [];
  await page.route('**/solve', (route, request) => {
    asked.push(request.postData().trim().split('\n').length - 1); // the column's name
    return asked.length > 2 ? route.continue() : route.fulfill({ status: 503,
      contentType: 'application/problem+json', body: '{"status":503,"detail":"All searches are running."}' });
  });
  await drop(page, 'many.txt', `${EASY}\n`.repeat(1001));
  await page.locator('#bulk-said', { hasText: '1,001 puzzles in ' }).waitFor();
  assert.deepEqual(asked, [1000, 500, 250, 250, 250, 250, 1]);
});

test('bulk: a piece that is refused ends it, with the reason and what is done', async ({ page }) => {
  for (const [reply, why] of [
    [{ status: 422, contentType: 'application/problem+json', body: '{"status":422,"detail":"Not so."}' }, 'Not so.'],
    [{ status: 502, body: 'Bad Gateway' }, 'HTTP 502'],
    [{ status: 200, body: '<p>Log in first.\n</p>\n' }, '<p>Log in first.'],
    [{ status: 200, body: '' }, 'The server cannot be reached'],
  ]) {
    let pieces = 0;
    await page.unroute('**/solve');
    await page.route('**/solve', route => pieces++ ? route.fulfill(reply) : route.continue());
    await drop(page, 'many.txt', `${EASY}\n`.repeat(1060));
    await page.locator('#bulk-said', { hasText: `Stopped after 1,000 of 1,060. ${why}` }).waitFor();
    assert.match(await text(page, 'bulk-said'), / · 1,000 unique$/);
    assert.ok(await page.locator('#bulk-save').isEnabled());
  }
});

test('bulk: a server that takes fewer at a time is sent fewer', async ({ page, program }) => {
  const server = await startServer(program, '--max-batch', '300');
  await page.goto(server.origin);
  await drop(page, 'many.txt', `${EASY}\n`.repeat(700) + 'nothing\n');
  await page.locator('#bulk-said', { hasText: /^701 puzzles in .* · 700 unique, 1 error$/ }).waitFor();
  server.stop();
});

test('bulk: answers are shown as they come, and kept when the rest does not', async ({ page }) => {
  const proxy = createServer((_, reply) => {
    reply.writeHead(200, { 'Access-Control-Allow-Origin': '*' });
    reply.write(`unique\t1\t${EASY_SOLVED}\nuni`);
    setTimeout(() => reply.write('que\t1\t-\n'), 50);
    proxy.emit('answering', reply);
  }).listen(0, '127.0.0.1');
  await new Promise(resolve => proxy.once('listening', resolve));
  const answering = new Promise(resolve => proxy.once('answering', resolve));
  await page.evaluate(port => {
    const { fetch } = globalThis;
    globalThis.fetch = (path, { body, signal }) => fetch(`http://127.0.0.1:${port}${path}`, { method: 'POST', body, signal });
  }, proxy.address().port);
  await drop(page, 'many.txt', `${EASY}\n`.repeat(5));
  await page.locator('#bulk-said', { hasText: '2 of 5' }).waitFor();
  assert.deepEqual(await page.locator('#bulk-rows tr td:nth-child(2)').allTextContents(), ['unique', 'unique']);
  (await answering).destroy();
  await page.locator('#bulk-said', { hasText: 'Stopped after 2 of 5. The server cannot be reached' }).waitFor();
  proxy.close();
}, { bypassCSP: true });

test('files: a drop closes the dialog; what is no text, is long or is a folder is refused in words', async ({ page }) => {
  await page.click('#text-open');
  await drop(page, 'puzzle.txt', EASY);
  await puzzleIs(page, EASY);
  assert.ok(await page.locator('#text').isHidden());
  for (const [content, fault] of [['', '0 cells, not 81.'], ['\x01\x02'.repeat(1000), /^Unexpected “\x01” in line 1/],
    ['ab\x01\n'.repeat(300000), /^Unexpected “a” in line 1/]]) {
    await drop(page, 'file', content);
    await page.locator('#text-fault', { hasText: fault }).waitFor();
    await page.keyboard.press('Escape');
  }
  await page.evaluate(() => { // 20 MB, made there
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File(['x'.repeat(20e6)], 'long'));
    document.body.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }));
  });
  await page.locator('#text-fault', { hasText: '999 cells, not 81.' }).waitFor();
  await page.keyboard.press('Escape');
  await page.evaluate(() => {
    File.prototype.text = () => Promise.reject(new DOMException('a folder', 'NotFoundError'));
  });
  await drop(page, 'folder', '');
  await page.locator('#text-fault', { hasText: '0 cells, not 81.' }).waitFor();
  await page.keyboard.press('Escape');
  assert.equal(await shown(page), EASY);
});

test('copying works without a secure context', async ({ page, context, origin }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.evaluate(() => Object.defineProperty(navigator, 'clipboard', { value: undefined }));
  await cell(page, 1, 1).click();
  await page.keyboard.type('5');
  await page.click('#link-copy');
  await page.locator('#toast', { hasText: 'Copied' }).waitFor();
  const other = await context.newPage();
  await other.goto(origin);
  assert.match(await other.evaluate(() => navigator.clipboard.readText()), /#5\.{80}$/);
});

test('a digit written where it stands changes nothing', async ({ page, origin }) => {
  await open(page, origin, EASY);
  await page.click('#solve');
  await head(page, 'Exactly one solution');
  await cell(page, 1, 1).click();
  await page.keyboard.type('5');
  assert.equal(await shown(page), EASY_SOLVED);
  assert.ok(await page.locator('#undo').isDisabled());
});

test('one is not many: words for one clue, one step, one cell', async ({ page, origin }) => {
  await open(page, origin, `7${EMPTY.slice(1)}`);
  await page.locator('#line', { hasText: /from 1 clue\.$/ }).waitFor();
  await open(page, origin, '7');
  await page.locator('#text-fault', { hasText: /^1 cell, not 81\.$/ }).waitFor();
});

test('a clash offline is said by the page itself', async ({ page, context, origin }) => {
  await open(page, origin, CLASH);
  await context.setOffline(true);
  await page.click('#solve');
  await head(page, 'Conflicts: 2');
  assert.match(await text(page, 'faults'), /Row 1 holds 3 in columns 2, 3/);
});
