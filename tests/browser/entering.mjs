// How puzzles come to the board.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { picture, root, test } from './harness.mjs';
import { cell, drop, EASY, EMPTY, head, NONE, open, paste, phone, puzzleIs, shown, text, until } from './helpers.mjs';

test('keyboard: arrows, digits, Backspace, Home and End', async ({ page }) => {
  await cell(page, 1, 1).focus();
  await page.keyboard.type('5');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.type('3');
  await page.keyboard.press('End');
  await page.keyboard.type('9');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Home');
  await page.keyboard.type('6');
  await page.keyboard.press('ArrowLeft'); // round the edge
  await page.keyboard.type('7');
  await page.keyboard.press('Control+End');
  await page.keyboard.type('1');
  const line = '53......96.......7' + '.'.repeat(62) + '1';
  await puzzleIs(page, line);
  await page.keyboard.press('Backspace');
  await puzzleIs(page, line.slice(0, 80) + '.');
  assert.equal(await page.locator('[role=gridcell][tabindex="0"]').count(), 1);
});

test('keyboard: everything is reached by Tab, Enter solves', async ({ page, origin }) => {
  await open(page, origin, EASY);
  const names = [];
  for (let i = 0; i < 40; i++) {
    await page.keyboard.press('Tab');
    names.push(await page.evaluate(() => document.activeElement.id || document.activeElement.role
      || document.activeElement.parentNode.id || document.activeElement.getAttribute('role')));
  }
  for (const name of ['examples', 'text-open', 'link-copy', 'gridcell', 'digits', 'clear', 'marks',
    'solve', 'as-curl', 'as-fetch', 'request', 'request-copy', 'json', 'json-copy', 'bulk-file'])
    assert.ok(names.includes(name), `${name} in ${names}`);
  await cell(page, 5, 5).focus();
  await page.keyboard.press('Enter');
  await until(page, () => document.querySelectorAll('.solved').length === 51);
});

test('touch: a cell and a digit on the screen', async ({ page }) => {
  await cell(page, 2, 3).tap();
  await page.getByRole('button', { name: 'Write 7' }).tap();
  await puzzleIs(page, '.'.repeat(11) + '7' + '.'.repeat(69));
  await page.getByRole('button', { name: 'Erase' }).tap();
  await puzzleIs(page, EMPTY);
  for (const box of await page.locator('button:visible').evaluateAll(all => all.map(b => {
    const { width, height } = b.getBoundingClientRect();
    return [width, height];
  })))
    assert.ok(box[0] >= 24 && box[1] >= 24, String(box));
}, phone);

test('paste: every text form of the corpus', async ({ page }) => {
  const folder = join(root, 'tests/data/formats');
  let forms = 0;
  for (const name of readdirSync(folder).filter(file => file.endsWith('.expected'))) {
    const lines = readFileSync(join(folder, name), 'utf8').trim().split('\n').map(l => l.replaceAll('0', '.'));
    const form = readFileSync(join(folder, name.slice(0, -9)), 'utf8');
    const isMany = await page.evaluate(async data => (await import('/grid.js')).readMany(data)?.map(read => read().cells?.map(v => v || '.').join('')), form);
    if (isMany) {
      assert.deepEqual(isMany, lines, name);
    } else {
      await paste(page, form);
      await puzzleIs(page, lines[0]);
      await page.click('#clear');
    }
    forms++;
  }
  assert.equal(forms, 42);
});

test('paste: text that is no puzzle is said to be so, in words', async ({ page }) => {
  await paste(page, EASY.slice(1));
  await page.locator('#text-fault', { hasText: '80 cells, not 81' }).waitFor();
  await page.fill('#text-box', EASY);
  await page.click('#text-use');
  await puzzleIs(page, EASY);
});

test('link: the board is in the address, and comes from it', async ({ page, origin }) => {
  await open(page, origin, EASY);
  await puzzleIs(page, EASY);
  assert.ok(await page.locator('#undo').isDisabled());
  await page.evaluate(line => { location.hash = line; }, NONE);
  await puzzleIs(page, NONE);
  for (const [fragment, line] of [[EASY.replace(/.{9}/g, '$&%0A'), EASY], [NONE.replaceAll('.', '0'), NONE]]) {
    await open(page, origin, fragment);
    await puzzleIs(page, line);
  }
});

test('link: one that holds no puzzle is said to be so, and does nothing else', async ({ page, origin }) => {
  page.on('dialog', () => assert.fail('a script ran'));
  for (const [fragment, fault] of [
    [EASY.slice(1), '80 cells, not 81.'], ['%no-puzzle', 'Unexpected “%” in line 1, after 0 cells.'],
    ['<img src=x onerror=alert(1)>', 'Unexpected “<” in line 1, after 0 cells.'],
    ['"><script>alert(1)</script>', 'Unexpected “"” in line 1, after 0 cells.'],
    ['%00%0A%E2%80%AE', 'Unexpected “\0” in line 1, after 0 cells.'], ['x'.repeat(100000), '999 cells, not 81.'],
  ]) {
    await open(page, origin, fragment);
    await page.locator('#text[open]').waitFor();
    assert.equal(await text(page, 'text-fault'), fault);
    assert.equal(await page.locator('img').count(), 1, 'that of the heading');
    await page.keyboard.press('Escape');
    assert.equal(await shown(page), EMPTY);
  }
});

test('drop: a text file', async ({ page }) => {
  await drop(page, 'puzzle.txt', EASY.replace(/.{9}/g, '$&\n'));
  await puzzleIs(page, EASY);
});

test('file: chosen in the dialog, without a drag', async ({ page }) => {
  await page.click('#text-open');
  await page.setInputFiles('dialog [type=file]', { name: 'a.sdk', mimeType: 'text/plain', buffer: Buffer.from(EASY) });
  await puzzleIs(page, EASY);
});

test('given and solved cells are told apart, by more than colour', async ({ page, origin }) => {
  await open(page, origin, EASY);
  await page.click('#solve');
  await head(page, 'Exactly one solution');
  const weight = (r, c) => cell(page, r, c).evaluate(node => getComputedStyle(node).fontWeight);
  assert.notEqual(await weight(1, 1), await weight(1, 3));
  assert.equal(await cell(page, 1, 1).getAttribute('aria-label'), 'Row 1, column 1: 5, given');
  assert.equal(await cell(page, 1, 3).getAttribute('aria-label'), 'Row 1, column 3: 4, solved');
});

test('conflicts: live by /validate, in place and in words', async ({ page, origin }) => {
  await open(page, origin, EASY);
  await head(page, 'Exactly one solution');
  const asked = page.waitForResponse(reply => reply.url().endsWith('/validate'));
  await cell(page, 1, 3).click();
  await page.keyboard.type('3');
  assert.equal((await (await asked).json()).valid, false);
  await head(page, 'Conflicts: 2');
  assert.match(await text(page, 'faults'), /Row 1 holds 3 in columns 2, 3\..*Box 1 holds 3/);
  assert.equal(await page.locator('.bad').count(), 2);
  assert.equal(await cell(page, 1, 2).getAttribute('aria-invalid'), 'true');
  assert.match(await cell(page, 1, 2).getAttribute('aria-label'), /in conflict/);
  await picture(page, 'conflict');
  await page.click('#solve'); // the problem of /solve lists them too
  await page.locator('#json', { hasText: 'conflicting-clues' }).waitFor();
  assert.match(await text(page, 'faults'), /Row 1 holds 3/);
  await page.keyboard.press('Control+z');
  await head(page, 'Exactly one solution');
  assert.equal(await page.locator('.bad').count(), 0);
});

test('pencil marks on demand', async ({ page, origin }) => {
  await open(page, origin, EASY);
  assert.equal(await page.locator('.marks').count(), 0);
  await page.click('#marks');
  assert.equal(await page.locator('.marks').count(), 51);
  assert.match(await cell(page, 5, 5).getAttribute('aria-label'), /may be 5/);
  await page.click('#marks');
  assert.equal(await page.locator('.marks').count(), 0);
});

test('undo, redo and clear', async ({ page, origin }) => {
  await open(page, origin, EASY);
  await page.click('#clear');
  await puzzleIs(page, EMPTY);
  await page.click('#undo');
  await puzzleIs(page, EASY);
  await page.click('#redo');
  await puzzleIs(page, EMPTY);
  await page.keyboard.press('Control+z');
  await puzzleIs(page, EASY);
  await page.keyboard.press('Control+Shift+z');
  await puzzleIs(page, EMPTY);
});

test('examples: from easy to hardest, several solutions and none', async ({ page }) => {
  const found = [];
  const keys = await page.locator('#examples option').evaluateAll(all => all.map(o => o.value).filter(Boolean));
  for (const key of keys.filter(k => k !== 'exSlow')) {
    await page.selectOption('#examples', key);
    await page.click('#solve');
    await until(page, () => /step/.test(document.getElementById('line').textContent));
    found.push([key, await text(page, 'head')]);
    await page.click('#clear');
    await head(page, 'An empty board');
  }
  const one = 'Exactly one solution';
  assert.deepEqual(found, [['exEasy', one], ['exFew', one], ['exHard', one], ['exHardest', one],
    ['exMany', 'At least 2 solutions'], ['exNone', 'No solution']]);
});
