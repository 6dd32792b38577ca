// Many puzzles: sent in pieces, a line each; shown as a table, saved as TSV.
import { make } from './board.js';
import { fromLine, toLine } from './grid.js';
import { askMany } from './service.js';
import { number, say } from './words.js';

const MOST = 1000; // puzzles in a piece; it begins with few, and grows while answers are quick
const TRIES = 8; // of a piece that the server is too busy for
const SHOWN = 100;
const $ = id => document.getElementById(id);

let results = [];
let stop = null;

export function initBulk(putOnBoard) {
  $('bulk-stop').addEventListener('click', () => stop?.abort());
  $('bulk-save').addEventListener('click', save);
  $('bulk-rows').addEventListener('click', event => {
    const line = event.target.closest('button')?.textContent;
    if (line)
      putOnBoard(fromLine(line));
  });
}

/** Asks for all of them. `items` is what readMany returns. `sayAloud` tells how it ended. */
export async function runBulk(items, sayAloud) {
  stop?.abort();
  const mine = stop = new AbortController();
  const began = performance.now();
  const all = items.length;
  let done = 0;
  let size = 50;
  let tries = 0;
  let why = '';
  const rows = results = Array(all);
  const values = () => {
    const s = (performance.now() - began) / 1000;
    return { done, all, s: number(s, s < 10 ? 2 : 0), rate: Math.round(done / Math.max(s, .001)) };
  };

  $('bulk-out').hidden = false;
  $('bulk-stop').hidden = false;
  $('bulk-save').disabled = true;
  $('bulk-bar').value = 0;
  $('bulk-rows').replaceChildren();
  $('bulk-rest').textContent = '';
  $('bulk-said').textContent = say('searching');
  $('bulk-out').scrollIntoView({ block: 'nearest' });
  try {
    while (done < all) {
      const piece = items.slice(done, done + size).map(read => read());
      const good = piece.filter(item => item.cells).map(item => toLine(item.cells));
      const asked = performance.now();
      let answers = [];
      try {
        if (good.length)
          answers = await askMany(good, mine.signal);
      } catch (error) {
        if (error.problem?.status !== 503 || ++tries === TRIES)
          throw error;
        size = Math.ceil(size / 2);
        await new Promise(resolve => setTimeout(resolve, 1000));
        mine.signal.throwIfAborted();
        continue;
      }
      tries = 0;
      const ms = performance.now() - asked;
      size = Math.ceil(Math.min(MOST, size * (ms < 300 ? 2 : ms < 1000 ? 1 : .5)));
      piece.forEach((item, i) => {
        rows[done + i] = item.cells ? [toLine(item.cells), ...answers.shift()]
          : [item.text.replace(/\s+/g, ' '), 'error', '-', say(item.fault.key, item.fault)];
      });
      showRows(rows, done, done + piece.length);
      done += piece.length;
      $('bulk-bar').value = done / all;
      $('bulk-said').textContent = say('bulkRunning', values());
    }
  } catch (error) {
    if (error.name !== 'AbortError')
      why = error.problem?.detail ?? say('unreachableLine');
  }
  if (mine !== stop)
    return;
  rows.length = done;
  const tally = Object.entries(Object.groupBy?.(rows, row => row[1]) ?? {})
    .map(([status, group]) => `${number(group.length)} ${status}`).join(', ');
  $('bulk-said').textContent =
    say(done === all ? 'bulkDone' : 'bulkStopped', { ...values(), why }) +
    (tally ? ` · ${tally}` : '');
  sayAloud($('bulk-said').textContent);
  $('bulk-stop').hidden = true;
  $('bulk-save').disabled = done === 0;
  if (done > SHOWN)
    $('bulk-rest').textContent = say('bulkRest', { n: SHOWN, all: done });
}

function showRows(rows, from, to) {
  for (let i = from; i < Math.min(to, SHOWN); i++) {
    const [puzzle, status, count, solution] = rows[i];
    const tr = make('tr', { className: status });
    tr.append(...[i + 1, status, count, puzzle, solution].map(textContent => make('td', { textContent })));
    if (puzzle.length === 81)
      tr.cells[3].replaceChildren(make('button', { textContent: puzzle, ariaLabel: `${say('toBoard', { n: i + 1 })}: ${puzzle}` }));
    $('bulk-rows').append(tr);
  }
}

function save() {
  const text = 'puzzle\tstatus\tcount\tsolution\n' + results.map(row => row.join('\t') + '\n').join('');
  const href = URL.createObjectURL(new Blob([text], { type: 'text/tab-separated-values' }));
  make('a', { href, download: 'sudoku-results.tsv' }).click();
  setTimeout(() => URL.revokeObjectURL(href), 10000);
}
