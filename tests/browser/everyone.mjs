// For every eye, hand, language, paper and network.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { out, picture, test } from './harness.mjs';
import { axeFinds, cell, CLASH, drop, EASY, EASY_SOLVED, head, MANY, NONE, open, phone, shown, text, until } from './helpers.mjs';

for (const colorScheme of ['light', 'dark'])
  for (const [device, options] of [['desktop', {}], ['phone', phone]])
    test(`axe: no violation, ${device}, ${colorScheme}`, async ({ page, origin }) => {
      const finds = [];
      const look = async () => finds.push(...await axeFinds(page));
      await until(page, () => document.getElementById('head').textContent);
      await look();
      await picture(page, `${device}-${colorScheme}-empty`);
      await open(page, origin, CLASH);
      await look();
      await open(page, origin, EASY);
      await page.click('#marks');
      await cell(page, 5, 4).click();
      await look();
      await picture(page, `${device}-${colorScheme}-marks`);
      await page.click('#solve');
      await head(page, 'Exactly one solution');
      await page.waitForTimeout(700); // the digits have appeared
      await look();
      await picture(page, `${device}-${colorScheme}`);
      await open(page, origin, MANY);
      await page.click('#solve');
      await page.click('#more');
      await head(page, 'Exactly 26');
      await page.waitForTimeout(700);
      await look();
      await page.click('#text-open');
      await look();
      assert.deepEqual(finds, []);
      const spare = await page.evaluate(() => innerWidth - document.documentElement.scrollWidth);
      assert.ok(spare >= 0, `${-spare} px too wide`);
    }, { ...options, colorScheme });

test('narrow: 320 px wide without a sideways scroll', async ({ page, origin }) => {
  await open(page, origin, EASY);
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
  await picture(page, 'narrow');
}, { viewport: { width: 320, height: 640 } });

test('reduced motion: nothing moves', async ({ page, origin }) => {
  await open(page, origin, EASY);
  await page.click('#solve');
  await head(page, 'Exactly one solution');
  assert.equal(await page.evaluate(() => document.getAnimations().length), 0);
}, { reducedMotion: 'reduce' });

test('print: the board and the answer, nothing else', async ({ page, origin }) => {
  await open(page, origin, EASY);
  await page.emulateMedia({ media: 'print' });
  for (const id of ['examples', 'digits', 'solve', 'call', 'bulk', 'keys-help'])
    assert.ok(await page.locator(`#${id}`).isHidden(), id);
  assert.ok(await page.locator('#board').isVisible());
  assert.ok(await page.locator('#head').isVisible());
  await picture(page, 'print');
});

test('Korean, by the language of the browser', async ({ page, origin }) => {
  await open(page, origin, EASY);
  assert.equal(await page.evaluate(() => document.documentElement.lang), 'ko');
  await page.click('#solve');
  await head(page, '해가 정확히 하나');
  await page.click('#text-open'); // all that is said at all
  assert.deepEqual(await page.evaluate(() => [...document.querySelectorAll('[aria-label], body *')]
    .flatMap(node => [node.ariaLabel, node.children.length ? '' : node.textContent])
    .filter(said => said && /[a-z]{3}/.test(said) && !/Backspace|CSV|curl|POST|"|sudokud|fetch|JavaScript/.test(said))), []);
  await page.keyboard.press('Escape');
  assert.equal(await cell(page, 1, 1).getAttribute('aria-label'), '1행 1열: 5, 주어진 수');
  assert.deepEqual(await axeFinds(page), []);
  await picture(page, 'korean');
}, { locale: 'ko-KR' });

test('without the network: the page loads again, checks and solves', async ({ page, context, origin }) => {
  await page.evaluate(() => navigator.serviceWorker.ready);
  await until(page, () => navigator.serviceWorker.controller);
  await context.setOffline(true);
  await page.goto(`${origin}/#${CLASH}`);
  await page.reload();
  await head(page, 'Conflicts: 2');
  await page.evaluate(line => { location.hash = line; }, EASY);
  await head(page, 'No connection');
  await page.click('#solve');
  await head(page, 'Exactly one solution');
  assert.match(await text(page, 'line'), /without the server/);
  assert.equal(await shown(page), EASY_SOLVED);
  await page.evaluate(line => { location.hash = line; }, MANY);
  await page.click('#solve');
  await page.click('#more');
  await head(page, 'Exactly 26 solutions');
  await page.evaluate(line => { location.hash = line; }, NONE);
  await page.click('#solve');
  await until(page, () => /without the server/.test(document.getElementById('line').textContent));
  assert.equal(await text(page, 'head'), 'No solution');
}, { serviceWorkers: 'allow' });

test('delivery: nothing foreign, no inline script, small, quick', async ({ page, context, origin }) => {
  const fresh = await context.newPage();
  const asked = [];
  fresh.on('request', request => asked.push(request.url()));
  await fresh.goto(origin + '/');
  await until(fresh, () => document.getElementById('head').textContent);
  await fresh.waitForLoadState('networkidle');
  const figures = await fresh.evaluate(() => {
    const [page] = performance.getEntriesByType('navigation');
    const files = [page, ...performance.getEntriesByType('resource').filter(e => !e.name.endsWith('/validate'))];
    const sum = name => files.reduce((total, file) => total + file[name], 0);
    return {
      requests: files.length, bytes: sum('decodedBodySize'), bytes_compressed: sum('encodedBodySize'),
      interactive_ms: Math.round(page.domContentLoadedEventEnd), // the modules have run: keys and clicks work
      loaded_ms: Math.round(page.loadEventEnd),
      painted_ms: Math.round(performance.getEntriesByName('first-contentful-paint')[0]?.startTime),
    };
  });
  assert.ok(asked.every(url => url.startsWith(origin)), String(asked));
  assert.equal(await fresh.locator('script:not([src])').count(), 0);
  assert.equal(await fresh.locator('[onclick], style').count(), 0);
  assert.ok(figures.bytes < 60000 && figures.bytes_compressed < 30000);
  writeFileSync(join(out, 'figures.json'), JSON.stringify(figures, null, 2));
  console.log(`      ${JSON.stringify(figures)}`);
});

test('screen readers hear what is said once, when typing pauses, and clashes in words', async ({ page, origin }) => {
  await open(page, origin, EASY);
  const aloud = await page.evaluateHandle(() => {
    const said = [];
    for (const node of document.querySelectorAll('[role=status], [role=alert], [aria-live], output'))
      new MutationObserver(() => said.push(node.textContent)).observe(node, { childList: true, subtree: true });
    return said;
  });
  const heard = async expected => {
    await until(page, said => said.length > 0, aloud);
    assert.deepEqual(await aloud.evaluate(said => said.splice(0)), [expected]);
  };
  await heard('Exactly one solution. ');
  await cell(page, 1, 3).click();
  for (const key of ['1', '2', 'Backspace', '3']) { // a clash only at the end
    await page.keyboard.press(key);
    await page.waitForTimeout(100);
  }
  await heard('Conflicts: 2. Row 1 holds 3 in columns 2, 3. Box 1 holds 3 in row 1, column 2; row 1, column 3.');
  await page.keyboard.press('Backspace');
  await heard('Exactly one solution. ');
  await page.click('#solve');
  await until(page, said => said.length > 0, aloud);
  assert.match((await aloud.evaluate(said => said.splice(0))).join('|'), /^Exactly one solution\. \d+ steps · [\d.]+ ms$/);
  await drop(page, 'many.txt', `${EASY}\n`.repeat(200));
  await until(page, said => said.length > 0, aloud);
  assert.match((await aloud.evaluate(said => said.splice(0))).join('|'), /^200 puzzles in .* 200 unique$/);
});

test('what is read on a control is in its name, for those who speak to it', async ({ page, origin }) => {
  await open(page, origin, MANY);
  await page.click('#solve');
  await drop(page, 'many.txt', `${EASY}\n${NONE}\n`);
  await page.locator('#bulk-save:enabled').waitFor();
  const controls = await page.locator('button, a, select, label').evaluateAll(all =>
    all.map(node => [node.tagName === 'SELECT' ? '' : node.textContent.trim(), node.ariaLabel]));
  assert.ok(controls.length > 30);
  for (const [seen, name] of controls.filter(([seen]) => /[\p{L}\d]/u.test(seen)))
    assert.ok(name === null || name.includes(seen), `${seen}: ${name}`);
});

test('focus is never lost with a button that goes, nor taken by the digits on the screen', async ({ page, origin }) => {
  const focus = () => page.evaluate(() => document.activeElement.id || document.activeElement.ariaLabel);
  await open(page, origin, MANY);
  await page.click('#solve');
  for (const name of ['#more', '#hide']) {
    await page.locator(name).focus();
    await page.keyboard.press('Enter');
    await page.locator(name).waitFor({ state: 'hidden' });
    assert.equal(await focus(), 'solve');
  }
  await cell(page, 2, 3).click();
  await page.getByRole('button', { name: 'Write 3' }).click();
  assert.equal(await focus(), 'Row 2, column 3: 3, given');
  await page.keyboard.press('ArrowRight');
  assert.equal(await focus(), 'Row 2, column 4: blank');
});

test('focus is always to be seen: not under the head of the table, not clipped', async ({ page }) => {
  await drop(page, 'many.txt', `${EASY}\n`.repeat(60));
  await page.locator('#bulk-save:enabled').waitFor();
  await page.locator('#bulk-rows button').nth(40).focus();
  for (let i = 0; i < 40; i++) {
    await page.keyboard.press('Shift+Tab');
    const isSeen = await page.evaluate(() => {
      const node = document.activeElement;
      const { x, y, width, height } = node.getBoundingClientRect();
      return [.1, .5, .9].every(k => document.elementFromPoint(x + width / 2, y + height * k) === node);
    });
    assert.ok(isSeen, `${40 - i - 1}`);
  }
}, { viewport: { width: 1280, height: 700 } });

for (const colorScheme of ['light', 'dark'])
  test(`forced colours, ${colorScheme}: lines, focus and what is pressed are seen`, async ({ page, origin }) => {
    const style = (node, ...names) => node.evaluate((n, all) => all.map(name => getComputedStyle(n)[name]), names);
    await page.emulateMedia({ forcedColors: 'active', colorScheme });
    await open(page, origin, CLASH);
    await head(page, 'Conflicts: 2');
    await cell(page, 5, 5).click();
    assert.deepEqual(await style(cell(page, 1, 1), 'borderTopWidth', 'borderTopStyle'), ['1px', 'solid']);
    const [width, line] = await style(cell(page, 5, 5), 'outlineWidth', 'outlineStyle');
    assert.deepEqual([width, line], ['3px', 'solid']);
    await page.keyboard.press('Tab');
    assert.equal((await style(cell(page, 5, 5), 'outlineStyle'))[0], 'dotted');
    const background = id => style(page.locator(id), 'backgroundColor');
    assert.notDeepEqual(await background('#as-curl'), await background('#as-fetch'));
    const boxLine = await page.locator('#board').evaluate(n => getComputedStyle(n, '::after').backgroundImage);
    assert.match(boxLine, colorScheme === 'dark' ? /rgb\(255, 255, 255\)/ : /rgb\(0, 0, 0\)/);
    await picture(page, `forced-${colorScheme}`);
  });

test('print from a dark screen: ink on paper, clashes too', async ({ page, origin }) => {
  await page.emulateMedia({ colorScheme: 'dark', media: 'print' });
  await open(page, origin, CLASH);
  await head(page, 'Conflicts: 2');
  assert.deepEqual(await axeFinds(page), []);
  for (const id of ['#faults', '#board', 'html'])
    assert.match(await page.locator(id).evaluate(n => getComputedStyle(n).backgroundColor), /rgb\(2[45]\d, 2/);
  await picture(page, 'print-conflict');
}, { colorScheme: 'dark' });

test('400 % and wide text: no sideways scroll, the dialog can be read to its end', async ({ page, origin }) => {
  await open(page, origin, EASY);
  await page.addStyleTag({ content: `* { line-height: 1.5 !important; letter-spacing: .12em !important;
    word-spacing: .16em !important; } p { margin-bottom: 2em !important; }` });
  const spare = () => page.evaluate(() => innerWidth - document.documentElement.scrollWidth);
  assert.ok(await spare() >= 0);
  const clipped = await page.locator('button:visible, h2, p').evaluateAll(all =>
    all.filter(n => n.scrollWidth > n.clientWidth + 1 && !n.classList.contains('unseen')).map(n => n.textContent));
  assert.deepEqual(clipped, []);
  await page.click('#text-open');
  await page.locator('dialog button').last().focus();
  const { top, bottom } = await page.locator('dialog button').last().evaluate(n => n.getBoundingClientRect().toJSON());
  assert.ok(top >= 0 && bottom <= 256);
  await picture(page, 'zoom', false);
}, { viewport: { width: 320, height: 256 }, bypassCSP: true });
