// What is asked and answered, and the call that did it.
import assert from 'node:assert/strict';
import { picture, test } from './harness.mjs';
import { cell, EASY, EASY_SOLVED, EMPTY, head, MANY, open, shown, SLOW, text } from './helpers.mjs';

test('solve: status in words, the solution, steps and time', async ({ page, origin }) => {
  await open(page, origin, EASY);
  await page.click('#solve');
  await head(page, 'Exactly one solution');
  await page.locator('#line', { hasText: /^\d+ steps · [\d.]+ ms$/ }).waitFor();
  assert.equal(await shown(page), EASY_SOLVED);
  await page.click('#hide');
  assert.equal(await shown(page), EASY);
});

test('count further, and browse the solutions in order', async ({ page, origin }) => {
  await open(page, origin, MANY);
  await page.click('#solve');
  await head(page, 'At least 2 solutions');
  await page.getByRole('button', { name: 'Count further, to 1,000' }).click();
  await head(page, 'Exactly 26 solutions');
  const seen = [];
  for (let i = 1; i <= 26; i++) {
    assert.equal(await text(page, 'place'), `Solution ${i} of 26`);
    seen.push(await shown(page));
    await page.getByRole('button', { name: 'Next solution' }).click();
  }
  assert.deepEqual(seen, [...new Set(seen)].sort());
  assert.equal(await shown(page), seen[0]);
  await page.getByRole('button', { name: 'Previous solution' }).click();
  assert.equal(await shown(page), seen[25]);
  await picture(page, 'multiple');
});

test('1,000 or more, then further still', async ({ page, origin }) => {
  await open(page, origin, '1' + EMPTY.slice(1));
  await page.click('#solve');
  await page.getByRole('button', { name: 'Count further, to 1,000' }).click();
  await head(page, '1,000 or more solutions');
  await page.getByRole('button', { name: 'Count further, to 1,000,000' }).click();
  await page.locator('#request', { hasText: '"max_solutions": 1000000' }).waitFor();
});

test('the budget ends: said so, and a larger one offered', async ({ page, origin }) => {
  await page.route('**/solve', (route, request) => {
    const asked = request.postDataJSON();
    return route.continue({ postData: JSON.stringify({ ...asked, max_steps: asked.max_steps ? 1000000 : 5 }) });
  });
  await open(page, origin, SLOW);
  await page.click('#solve');
  await head(page, 'Not known');
  assert.match(await text(page, 'line'), /The budget of 1,000,000 steps ended first/);
  await page.getByRole('button', { name: 'Search on, 10,000,000 steps' }).click();
  await page.locator('#request', { hasText: '"max_steps": 10000000' }).waitFor();
});

test('cancel while running, and the server is told', async ({ page, origin }) => {
  await open(page, origin, EASY);
  let release;
  await page.route('**/solve', route => new Promise(resolve => {
    release = () => route.abort().then(resolve, resolve);
  }));
  const failed = page.waitForEvent('requestfailed');
  await page.click('#solve');
  await head(page, 'Searching');
  await page.getByRole('button', { name: 'Cancel' }).click();
  await head(page, 'Cancelled');
  assert.match((await failed).failure().errorText, /ABORTED/i);
  assert.equal(await shown(page), EASY);
  assert.equal(await text(page, 'solve'), 'Solve');
  release();
});

test('a refusal is shown with its detail', async ({ page, origin }) => {
  await page.route('**/solve', route => route.fulfill({ status: 503, contentType: 'application/problem+json',
    body: '{"type":"/problems/overloaded","status":503,"detail":"All searches are running."}' }));
  await open(page, origin, EASY);
  await page.click('#solve');
  await head(page, 'The server refused');
  assert.equal(await text(page, 'line'), 'All searches are running.');
});

test('the request as curl and as fetch, and the answer; both do what they say', async ({ page, origin, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await open(page, origin, EASY);
  await page.click('#solve');
  await head(page, 'Exactly one solution');
  const curl = await text(page, 'request');
  assert.match(curl, /^curl -s http:\/\/127\.0\.0\.1:\d+\/solve /);
  await page.click('#request-copy');
  assert.equal(await page.evaluate(() => navigator.clipboard.readText()), curl);
  const { execFileSync } = await import('node:child_process');
  assert.equal(JSON.parse(execFileSync('bash', ['-c', curl])).solution, EASY_SOLVED);

  await page.click('#as-fetch');
  const code = await text(page, 'request');
  const AsyncFunction = (async () => {}).constructor;
  assert.equal((await new AsyncFunction(`${code}\nreturn answer;`)()).solution, EASY_SOLVED);

  await page.click('#json-copy');
  assert.equal(JSON.parse(await page.evaluate(() => navigator.clipboard.readText())).solution, EASY_SOLVED);
  await cell(page, 9, 1).click();
  await page.keyboard.type('3');
  await page.locator('#request', { hasText: '/validate' }).waitFor();
  await page.locator('#json', { hasText: '"clues": 31' }).waitFor();
  await page.click('#link-copy');
  assert.match(await page.evaluate(() => navigator.clipboard.readText()), /\/#53\.\.7/);
});
