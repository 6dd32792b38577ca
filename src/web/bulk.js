// Many puzzles: sent in pieces, a line each; shown as a table, saved as TSV.
import { fromLine, toLine } from './grid.js';
import { askMany } from './service.js';
import { number, say } from './words.js';

const PIECE = 500;
const SHOWN = 100;
const $ = id => document.getElementById(id);

let results = [];
let stop = null;

export function initBulk(putOnBoard) {
  $('bulk-stop').addEventListener('click', () => stop?.abort());
  $('bulk-save').addEventListener('click', save);
  $('bulk-rows').addEventListener('click', event => {
    const line = event.target.closest('button')?.dataset.line;
    if (line)
      putOnBoard(fromLine(line));
  });
}

/** Asks for all of them. An item is {cells} or {fault}. */
export async function runBulk(items) {
  stop?.abort();
  const mine = stop = new AbortController();
  const began = performance.now();
  const all = items.length;
  let done = 0;
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
  $('bulk-out').scrollIntoView({ block: 'nearest' });
  try {
    for (let from = 0; from < all; from += PIECE) {
      const piece = items.slice(from, from + PIECE);
      const good = piece.filter(item => item.cells);
      const answers = good.length ? await askMany(good.map(item => toLine(item.cells)), mine.signal) : [];
      mine.signal.throwIfAborted();
      piece.forEach((item, i) => {
        rows[from + i] = item.cells ? [toLine(item.cells), ...answers.shift()]
          : [item.text.replace(/\s+/g, ' '), 'error', '-', say(item.fault.key, item.fault)];
      });
      showRows(rows, from, from + piece.length);
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
  $('bulk-stop').hidden = true;
  $('bulk-save').disabled = done === 0;
  if (done > SHOWN)
    $('bulk-rest').textContent = say('bulkRest', { n: SHOWN, all: done });
}

function showRows(rows, from, to) {
  for (let i = from; i < Math.min(to, SHOWN); i++) {
    const [puzzle, status, count, solution] = rows[i];
    const tr = document.createElement('tr');
    tr.className = status;
    const cells = [i + 1, puzzle, status, count, solution].map(text => {
      const td = document.createElement('td');
      td.textContent = text;
      return td;
    });
    if (puzzle.length === 81) {
      const button = document.createElement('button');
      button.textContent = puzzle;
      button.dataset.line = puzzle;
      button.setAttribute('aria-label', say('toBoard', { n: i + 1 }));
      cells[1].replaceChildren(button);
    }
    tr.append(...cells);
    $('bulk-rows').append(tr);
  }
}

function save() {
  const text = 'puzzle\tstatus\tcount\tsolution\n' + results.map(row => row.join('\t') + '\n').join('');
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([text], { type: 'text/tab-separated-values' }));
  link.download = 'sudoku-results.tsv';
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}
