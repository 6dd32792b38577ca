// Many puzzles: sent in pieces, a line each; shown as a table, saved as TSV.
import { make } from './board.js';
import { fromLine, toLine } from './grid.js';
import { askMany } from './service.js';
import { number, say } from './words.js';

const PIECE = 1000; // puzzles sent at a time, fewer where that is too much
const TRIES = 8; // before it ends there
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

/** Asks for what readMany returned. `sayAloud` tells how it ended. */
export async function runBulk(items, sayAloud) {
  stop?.abort();
  const mine = stop = new AbortController();
  const began = performance.now();
  const all = items.length;
  let size = PIECE;
  let tries = 0;
  let why = '';
  const rows = results = [];
  const values = () => {
    const s = (performance.now() - began) / 1000;
    return { done: rows.length, all, s: number(s, s < 10 ? 2 : 0), rate: Math.round(rows.length / Math.max(s, .001)) };
  };

  $('bulk-out').hidden = $('bulk-stop').hidden = false;
  $('bulk-save').disabled = true;
  $('bulk-bar').value = 0;
  $('bulk-rows').replaceChildren();
  $('bulk-rest').textContent = '';
  $('bulk-said').textContent = say('searching');
  $('bulk-out').scrollIntoView({ block: 'nearest' });
  try {
    while (rows.length < all) {
      try {
        for await (const some of answersTo(items.slice(rows.length, rows.length + size), mine.signal)) {
          rows.push(...some);
          showRows(rows);
          $('bulk-bar').value = rows.length / all;
          $('bulk-said').textContent = say('bulkRunning', values());
        }
        tries = 0;
      } catch (error) {
        if (![413, 503].includes(error.problem?.status) || ++tries === TRIES)
          throw error;
        size = Math.ceil(size / 2);
        await new Promise(resolve => setTimeout(resolve, 1000));
        mine.signal.throwIfAborted();
      }
    }
  } catch (error) {
    if (error.name !== 'AbortError')
      why = error.problem?.detail ?? say('unreachableLine');
  }
  if (mine !== stop)
    return;
  const tally = Object.entries(Object.groupBy?.(rows, row => row[1]) ?? {})
    .map(([status, group]) => `${number(group.length)} ${status}`).join(', ');
  $('bulk-said').textContent =
    say(rows.length === all ? 'bulkDone' : 'bulkStopped', { ...values(), why }) +
    (tally ? ` · ${tally}` : '');
  sayAloud($('bulk-said').textContent);
  $('bulk-stop').hidden = true;
  $('bulk-save').disabled = !rows.length;
  if (rows.length > SHOWN)
    $('bulk-rest').textContent = say('bulkRest', { n: SHOWN, all: rows.length });
}

/** Yields the rows of a piece as answers come; those that are no puzzles need none. */
async function* answersTo(piece, signal) {
  const rows = piece.map(read => read()).map(({ cells, text, fault }) => cells ? [toLine(cells)]
    : [text.replace(/\s+/g, ' '), 'error', '-', say(fault.key, fault)]);
  const open = rows.filter(row => !row[1]);
  if (open.length)
    for await (const answers of askMany(open.map(row => row[0]), signal)) {
      for (const answer of answers)
        open.shift().push(...answer);
      yield rows.splice(0, open.length ? rows.indexOf(open[0]) : rows.length);
    }
  else
    yield rows;
}

function showRows(rows) {
  for (let i = $('bulk-rows').rows.length; i < Math.min(rows.length, SHOWN); i++) {
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
