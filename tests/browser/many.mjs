// Many puzzles at once.
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { out, picture, root, test } from './harness.mjs';
import { axeFinds, CLASH, drop, EASY, EASY_SOLVED, MANY, NONE, puzzleIs, text } from './helpers.mjs';

test('bulk: progress, rate, a table and a TSV', async ({ page }) => {
  const sample = readFileSync(join(root, 'tests/data/puzzles/17_clue_sample.txt'), 'utf8').trim().split('\n');
  const lines = [...Array(6)].flatMap(() => sample);
  await drop(page, 'many.sdm', ['# remarks are skipped', EASY, NONE, MANY, CLASH, EASY.slice(1), ...lines].join('\n'));
  await page.locator('#bulk-save:enabled').waitFor({ timeout: 30000 });
  const all = lines.length + 5;
  assert.ok((await text(page, 'bulk-said')).startsWith(`${all.toLocaleString('en')} puzzles in `));
  assert.ok((await text(page, 'bulk-said'))
    .endsWith(` a second · ${(lines.length + 1).toLocaleString('en')} unique, 1 none, 1 multiple, 2 error`));
  assert.equal(await page.locator('#bulk-bar').evaluate(bar => bar.value), 1);
  assert.equal(await page.locator('#bulk-rows tr').count(), 100);
  const rows = await page.locator('#bulk-rows tr').evaluateAll(trs => trs.slice(0, 5).map(tr => [...tr.cells].map(c => c.textContent)));
  assert.deepEqual(rows[0], ['1', 'unique', '1', EASY, EASY_SOLVED]);
  assert.deepEqual(rows[1].slice(1), ['none', '0', NONE, '-']);
  assert.deepEqual(rows[2].slice(1, 4), ['multiple', '2', MANY]);
  assert.deepEqual(rows[3].slice(1, 4), ['error', '-', CLASH]);
  assert.deepEqual(rows[4].slice(1), ['error', '-', EASY.slice(1), '80 cells, not 81.']);
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

test('bulk: 49,000 puzzles, with the page at hand all the while', async ({ page }) => {
  const sample = readFileSync(join(root, 'tests/data/puzzles/17_clue_sample.txt'), 'utf8').trim().split('\n');
  const lines = Array.from({ length: 49000 }, (_, i) => sample[i % sample.length]);
  await page.evaluate(() => {
    globalThis.seen = { longTasks: [], progress: new Set() };
    new PerformanceObserver(list => seen.longTasks.push(...list.getEntries().map(e => Math.round(e.duration))))
      .observe({ type: 'longtask' });
    new MutationObserver(() => seen.progress.add(document.getElementById('bulk-said').textContent))
      .observe(document.getElementById('bulk-said'), { childList: true });
  });
  writeFileSync(join(out, 'many.txt'), lines.join('\n')); // a file of its own is not copied through the page
  await page.setInputFiles('#bulk-file', join(out, 'many.txt'));
  await page.locator('#bulk-save:enabled').waitFor({ timeout: 60000 });
  const said = await text(page, 'bulk-said');
  assert.match(said, /^49,000 puzzles in .* a second · 49,000 unique$/);
  const seen = await page.evaluate(() => ({ long_tasks_ms: seen.longTasks, steps_of_progress: seen.progress.size }));
  assert.ok(seen.steps_of_progress >= 49);
  const [download] = await Promise.all([page.waitForEvent('download'), page.click('#bulk-save')]);
  const tsv = readFileSync(await download.path(), 'utf8').trim().split('\n').slice(1);
  assert.deepEqual(tsv.map(row => row.split('\t')[0]), lines.map(line => line.replaceAll('0', '.')));
  writeFileSync(join(out, 'bulk.json'), JSON.stringify({ said, ...seen }, null, 2));
  console.log(`      ${JSON.stringify({ said, ...seen })}`);
});

test('bulk: pieces of any size, to the last one', async ({ page }) => {
  for (const [count, text81] of [[2, ''], [1001, ''], [1001, 'k']]) {
    await drop(page, 'many.txt', `${EASY}\n`.repeat(count) + (text81 && `${text81}\n`));
    await page.locator('#bulk-said', { hasText:
      new RegExp(`^${(count + text81.length).toLocaleString('en')} puzzles in .* unique${text81 && ', 1 error'}$`) }).waitFor();
  }
});

test('bulk: can be stopped', async ({ page }) => {
  await page.route('**/solve', () => {});
  await drop(page, 'many.txt', `${EASY}\n${NONE}\n`);
  await page.click('#bulk-stop');
  await page.locator('#bulk-said', { hasText: 'Stopped after 0 of 2' }).waitFor();
});
