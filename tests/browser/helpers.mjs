// What the tests of the page have in common: puzzles, and ways to look at and act on the page.
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { out } from './harness.mjs';
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

export const EASY = '53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79';
export const EASY_SOLVED = '534678912672195348198342567859761423426853791713924856961537284287419635345286179';
export const MANY = '........2.2..5.8.1......3..7.4.9........8541.....37...18....9....7..9...2...4..58';
export const NONE = '..9.287..8.6..4..5..3.....46.........2.71345.........23.....5..9..4..8.7..125.3..';
export const SLOW = '6..1.......3..9.6........4.........3.61.54............1.7....5..8.....1..........';
export const EMPTY = '.'.repeat(81);
export const CLASH = '533.7' + EASY.slice(5);
export const phone = { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, isMobile: true, hasTouch: true };

/** Waits until a function in the page is true. (Playwright's own way needs eval, which the policy forbids.) */
export async function until(page, predicate, argument) {
  for (const end = Date.now() + 20000; !await page.evaluate(predicate, argument);) {
    assert.ok(Date.now() < end, `in vain: ${predicate}`);
    await page.waitForTimeout(20);
  }
}

export const cell = (page, row, column) => page.locator('[role=gridcell]').nth((row - 1) * 9 + column - 1);
export const text = (page, id) => page.locator(`#${id}`).textContent();
export const shown = page => page.locator('[role=gridcell]').evaluateAll(cells =>
  cells.map(node => /^[1-9]$/.test(node.dataset.face) ? node.dataset.face : '.').join(''));
export const head = (page, expected) => page.locator('#head', { hasText: expected }).waitFor();
export const puzzleIs = async (page, line) => {
  await until(page, hash => location.hash === hash, line === EMPTY ? '' : '#' + line);
  assert.equal(await shown(page), line);
};
export const open = async (page, origin, line) => {
  await page.goto('about:blank');
  await page.goto(`${origin}/#${line}`);
  await until(page, () => document.getElementById('head').textContent !== '');
};
export const paste = (page, line) => page.evaluate(data => {
  const clipboardData = new DataTransfer();
  clipboardData.setData('text', data);
  document.body.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
}, line);
export const drop = (page, name, content) => page.evaluate(([fileName, data]) => {
  const dataTransfer = new DataTransfer();
  dataTransfer.items.add(new File([data], fileName, { type: 'text/plain' }));
  document.body.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }));
}, [name, content]);

const axeReport = [];

export async function axeFinds(page) {
  await page.evaluate(axe);
  const { violations, passes, incomplete } = await page.evaluate(() => globalThis.axe.run(document, {
    runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
  }));
  axeReport.push({ state: await text(page, 'head'), violations: violations.length, passes: passes.length,
    to_be_looked_at: incomplete.map(i => `${i.id} (${i.nodes.length})`) });
  writeFileSync(join(out, 'axe.json'), JSON.stringify(axeReport, null, 2));
  return violations.map(v => `${v.id}: ${v.nodes.map(n => n.target.join(' ') + ' ' + n.failureSummary).join('; ')}`);
}
