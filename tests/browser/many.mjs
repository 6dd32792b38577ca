// Many puzzles at once.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { picture, root, test } from './harness.mjs';
import { axeFinds, CLASH, drop, EASY, EASY_SOLVED, MANY, NONE, puzzleIs, text } from './helpers.mjs';

test('bulk: progress, rate, a table and a TSV', async ({ page }) => {
  const sample = readFileSync(join(root, 'tests/data/puzzles/17_clue_sample.txt'), 'utf8').trim().split('\n');
  const lines = [...Array(6)].flatMap(() => sample);
  await drop(page, 'many.sdm', ['# remarks are skipped', EASY, NONE, MANY, CLASH, EASY.slice(1), ...lines].join('\n'));
  await page.locator('#bulk-save:enabled').waitFor({ timeout: 30000 });
  const all = lines.length + 5;
  assert.ok((await text(page, 'bulk-said')).startsWith(`${all.toLocaleString('en')} puzzles in `));
  assert.match(await text(page, 'bulk-said'), /a second · .*1 none.*2 error|a second · .*2 error.*1 none|unique/);
  assert.equal(await page.locator('#bulk-bar').evaluate(bar => bar.value), 1);
  assert.equal(await page.locator('#bulk-rows tr').count(), 100);
  const rows = await page.locator('#bulk-rows tr').evaluateAll(trs => trs.slice(0, 5).map(tr => [...tr.cells].map(c => c.textContent)));
  assert.deepEqual(rows[0], ['1', EASY, 'unique', '1', EASY_SOLVED]);
  assert.deepEqual(rows[1].slice(2), ['none', '0', '-']);
  assert.deepEqual(rows[2].slice(2, 4), ['multiple', '2']);
  assert.deepEqual(rows[3].slice(2, 4), ['error', '-']);
  assert.deepEqual(rows[4].slice(2), ['error', '-', '80 cells, not 81.']);
  await page.locator('#bulk').scrollIntoViewIfNeeded();
  await picture(page, 'bulk');
  const [download] = await Promise.all([page.waitForEvent('download'), page.click('#bulk-save')]);
  const tsv = readFileSync(await download.path(), 'utf8').trim().split('\n');
  assert.equal(tsv.length, all + 1);
  assert.equal(tsv[0], 'puzzle\tstatus\tcount\tsolution');
  assert.equal(tsv[1], [EASY, 'unique', 1, EASY_SOLVED].join('\t'));
  assert.deepEqual(await axeFinds(page), []);
  await page.getByRole('button', { name: 'Put puzzle 2 on the board' }).click();
  await puzzleIs(page, NONE);
});

test('bulk: can be stopped', async ({ page }) => {
  await page.route('**/solve', () => {});
  await drop(page, 'many.txt', `${EASY}\n${NONE}\n`);
  await page.click('#bulk-stop');
  await page.locator('#bulk-said', { hasText: 'Stopped after 0 of 2' }).waitFor();
});
