// The page: what happens when, and what is said about it.
import { Board } from './board.js';
import { initBulk, runBulk } from './bulk.js';
import { findConflicts, fromLine, readMany, readPuzzle } from './grid.js';
import { solveLocally } from './local.js';
import { ask, asCurl, asFetch, Refusal, Unreachable } from './service.js';
import { number, say, translatePage } from './words.js';

const GLANCE = 10_000; // steps of a check while typing
const BUDGET = 1_000_000; // the server's default
const LIST = 1000; // solutions that can be listed
const MOST = 1_000_000; // solutions that can be counted

const examples = {
  exEasy: '53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79',
  exFew: '.................1.....2.3.....4...5..2.1...6..3..78.....9.32...1.....4..5.......',
  exHard: '.6.5.4.3.1...9...8.........9...5...6.4.6.2.7.7...4...5.........4...8...1.5.2.3.4.',
  exHardest: '98.7..6..7.....5....4.8..9.4...3..7..7...2.....31....53....61...4..9..3.........2',
  exTwo: '.39...12....9.7...8..4.1..6.42...79...........91...54.5..1.9..3...8.5....14...87.',
  exMany: '........2.2..5.8.1......3..7.4.9........8541.....37...18....9....7..9...2...4..58',
  exNone: '..9.287..8.6..4..5..3.....46.........2.71345.........23.....5..9..4..8.7..125.3..',
  exSlow: '6..1.......3..9.6........4.........3.61.54............1.7....5..8.....1..........',
};

const $ = id => document.getElementById(id);
translatePage();
const board = new Board($('board'));

let check = null; // the running check and search, to abort
let search = null;
let question = null; // the last one to /solve
let list = []; // the solutions to browse, as lines
let place = 0;

// ---- Saying ----

function tell(count, head, line = '', kind = '') {
  $('said').className = 'said ' + kind;
  $('count').textContent = count;
  $('count').classList.toggle('long', count.length > 4);
  $('head').textContent = head;
  $('line').textContent = line;
}

function tellFaults(texts) {
  $('faults').hidden = texts.length === 0;
  $('faults').replaceChildren(...texts.map(text => {
    const item = document.createElement('li');
    item.textContent = text;
    return item;
  }));
}

function offer(id, text, action) {
  $(id).hidden = !text;
  $(id).textContent = text ?? '';
  $(id).onclick = action ?? null;
}

function reset() {
  list = [];
  tellFaults([]);
  offer('more');
  offer('longer');
  drawBrowse();
  $('hide').hidden = true;
}

let toastTimer;
function toast(text) {
  clearTimeout(toastTimer);
  $('toast').textContent = text;
  toastTimer = setTimeout(() => $('toast').textContent = '', 2500);
}

const inWords = conflicts => conflicts.map(({ unit, index, value, cells }) => say('conflictItem', {
  unit: say(unit), i: index + 1, v: value,
  cells: unit === 'row' ? say('atColumns', { list: cells.map(([, c]) => c + 1).join(', ') })
    : unit === 'column' ? say('atRows', { list: cells.map(([r]) => r + 1).join(', ') })
      : cells.map(([r, c]) => say('cellName', { r: r + 1, c: c + 1 })).join('; '),
}));

function tellConflicts(conflicts) {
  board.markBad(conflicts.flatMap(conflict => conflict.cells));
  tell('!', say('conflicts', { n: conflicts.length }), say('conflictLine'), 'wrong');
  tellFaults(inWords(conflicts));
}

function tellError(error) {
  const { detail = error.message, conflicts } = error.problem ?? {};
  if (conflicts)
    tellConflicts(conflicts);
  else
    tell('!', say('refused'), detail, 'wrong');
}

// ---- The call, as others would make it ----

let call = { path: '/validate', question: { puzzle: board.line } };
let isFetch = false;

function drawCall() {
  $('call-path').textContent = 'POST ' + call.path;
  $('request').textContent = (isFetch ? asFetch : asCurl)(call.path, call.question);
  $('as-curl').setAttribute('aria-pressed', !isFetch);
  $('as-fetch').setAttribute('aria-pressed', isFetch);
}

const pretty = answer => JSON.stringify(answer, null, 2)
  .replace(/\[\s+(\d+),\s+(\d+)\s+]/g, '[$1, $2]');

/** Asks, and shows the call and its answer while at it. */
async function askAndShow(path, asked, signal) {
  call = { path, question: asked };
  drawCall();
  $('json').classList.add('old');
  try {
    const answer = await ask(path, asked, signal);
    $('json').textContent = pretty(answer);
    return answer;
  } catch (error) {
    if (!signal.aborted)
      $('json').textContent = error instanceof Refusal ? pretty(error.problem) : say('unreachableLine');
    throw error;
  } finally {
    if (!signal.aborted)
      $('json').classList.remove('old');
  }
}

// ---- Checking while typing ----

let checkTimer;
function checkSoon() {
  clearTimeout(checkTimer);
  check?.abort();
  checkTimer = setTimeout(checkNow, 60);
}

async function checkNow() {
  const mine = check = new AbortController();
  const cells = board.cells;
  try {
    const answer = await askAndShow('/validate', { puzzle: board.line, max_steps: GLANCE }, mine.signal);
    if (!mine.signal.aborted)
      tellCheck(answer);
  } catch (error) {
    if (mine.signal.aborted)
      return;
    if (!(error instanceof Unreachable)) {
      tellError(error);
      return;
    }
    const conflicts = findConflicts(cells);
    if (conflicts.length)
      tellConflicts(conflicts);
    else
      tell('–', say('unreachable'), say('unreachableLine'));
  }
}

function tellCheck({ valid, solved, clues, status, conflicts }) {
  const n = { n: clues };
  if (!valid)
    tellConflicts(conflicts);
  else if (solved)
    tell('✓', say('complete'), say('completeLine'));
  else if (clues === 0)
    tell('0', say('empty'), say('emptyLine'), 'quiet');
  else if (status === 'unique')
    tell('1', say('unique'), say('uniqueLine', n));
  else if (status === 'multiple')
    tell('2+', say('several'), say('severalLine', n));
  else if (status === 'none')
    tell('0', say('none'), say('noneLine', n), 'wrong');
  else
    tell('?', say('unsure'), say('unsureLine', n));
}

// ---- Solving ----

function setBusy(isBusy) {
  $('busy').hidden = !isBusy;
  $('solve').textContent = say(isBusy ? 'cancel' : 'solve');
  if (isBusy)
    tell('…', say('searching'), '', 'quiet');
}

async function solve(asked = { puzzle: board.line }) {
  clearTimeout(checkTimer);
  check?.abort();
  search?.abort();
  const mine = search = new AbortController();
  const cells = board.cells;
  const timer = setTimeout(setBusy, 150, true);
  const began = performance.now();
  let isLocal = false;
  let answer;

  question = asked;
  reset();
  board.show(null);
  try {
    try {
      answer = await askAndShow('/solve', asked, mine.signal);
    } catch (error) {
      if (!(error instanceof Unreachable))
        throw error;
      const conflicts = findConflicts(cells);
      if (conflicts.length)
        throw new Refusal({ conflicts });
      isLocal = true;
      answer = await solveLocally(cells, Math.min(asked.max_solutions ?? 2, LIST),
        asked.max_steps ?? BUDGET, mine.signal);
    }
    mine.signal.throwIfAborted();
    setBusy(false);
    tellSolved(answer, performance.now() - began, isLocal);
  } catch (error) {
    if (mine !== search)
      return;
    setBusy(false);
    if (mine.signal.aborted)
      tell('–', say('cancelled'));
    else
      tellError(error);
  } finally {
    clearTimeout(timer);
    if (mine === search)
      search = null;
  }
}

function tellSolved(answer, ms, isLocal) {
  const { status, solution_count: n, count_exact: isExact, budget_exhausted: isSpent } = answer;
  const asked = question.max_solutions ?? 2;
  const budget = question.max_steps ?? BUDGET;
  const head = status !== 'multiple' ? status
    : isExact ? 'exactly' : n >= LIST && !isSpent ? 'orMore' : 'atLeast';
  const badge = { unique: '1', none: '0', solvable: '1+', undetermined: '?' }[status]
    ?? number(n) + (isExact ? '' : '+');
  const notes = [
    ['solvable', 'undetermined'].includes(status) && say(status + 'Line'),
    isSpent && say('budget', { n: budget }),
    answer.solution && !answer.solution_is_first && say('notFirst'),
    isLocal && say('locally'),
    say('effort', { n: answer.steps, ms: number(ms, ms < 10 ? 1 : 0) }),
  ];
  tell(badge, say(head, { n }), notes.filter(Boolean).join(' '), status === 'none' ? 'wrong' : '');

  list = answer.solutions ?? (answer.solution ? [answer.solution] : []);
  place = 0;
  drawBrowse();
  if (answer.solution)
    board.show(fromLine(answer.solution));
  $('hide').hidden = !answer.solution;

  const next = asked < LIST ? LIST : MOST;
  const kept = { puzzle: question.puzzle, ...(question.max_steps && { max_steps: question.max_steps }) };
  if (status === 'multiple' && !isExact && asked < MOST && !isSpent && !(isLocal && asked >= LIST))
    offer('more', say('more', { n: next }),
      () => solve({ ...kept, max_solutions: next, ...(next === LIST && { solutions: true }) }));
  if (isSpent)
    offer('longer', say('longer', { n: budget * 10 }), () => solve({ ...question, max_steps: budget * 10 }));
}

function drawBrowse() {
  $('browse').hidden = list.length < 2;
  $('place').textContent = say('place', { i: place + 1, n: list.length });
}

function browse(by) {
  place = (place + by + list.length) % list.length;
  board.show(fromLine(list[place]));
  drawBrowse();
}

// ---- Getting puzzles in and out ----

/** Takes text from a paste, a drop or a file. Returns what is wrong with it, if anything. */
function take(text) {
  const many = readMany(text);
  if (many) {
    runBulk(many);
    return null;
  }
  const { cells, fault } = readPuzzle(text);
  if (cells)
    board.put(cells);
  return fault ? say(fault.key, fault) : null;
}

function takeAloud(text) {
  const fault = take(text);
  if (fault)
    openText(text, fault);
}

function openText(text, fault) {
  $('text-box').value = text.slice(0, 20000);
  $('text-fault').textContent = fault;
  if (!$('text').open)
    $('text').showModal();
  $('text-box').focus();
}

function takeHash() {
  const { cells } = readPuzzle(location.hash.slice(1));
  if (cells)
    board.put(cells);
}

async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    toast(say('copied'));
  } catch {
    toast(say('notCopied'));
  }
}

// ---- Wiring ----

function drawEdit() {
  $('undo').disabled = !board.canUndo;
  $('redo').disabled = !board.canRedo;
}

board.addEventListener('change', () => {
  search?.abort();
  search = null;
  setBusy(false);
  reset();
  drawEdit();
  const isEmpty = board.cells.every(v => !v);
  history.replaceState(null, '', isEmpty ? location.pathname : '#' + board.line);
  $('examples').value = Object.keys(examples).find(key => examples[key] === board.line) ?? '';
  checkSoon();
});
board.addEventListener('solve', () => solve());

for (let v = 1; v <= 10; v++) {
  const button = document.createElement('button');
  button.textContent = v < 10 ? v : '⌫';
  button.setAttribute('aria-label', v < 10 ? say('write', { v }) : say('erase'));
  button.addEventListener('click', () => board.write(v % 10));
  $('digits').append(button);
}

$('examples').append(new Option(say('examples'), ''),
  ...Object.keys(examples).map(key => new Option(say(key), key)));
$('examples').options[0].disabled = true;
$('examples').addEventListener('change', event => board.put(fromLine(examples[event.target.value])));

const onClick = (id, action) => $(id).addEventListener('click', action);
onClick('undo', () => board.undo());
onClick('redo', () => board.redo());
onClick('clear', () => board.put(Array(81).fill(0)));
onClick('marks', event => {
  board.hasMarks = !board.hasMarks;
  event.currentTarget.setAttribute('aria-pressed', board.hasMarks);
  board.draw();
});
onClick('solve', () => search ? search.abort() : solve());
onClick('hide', () => {
  board.show(null);
  reset();
  checkSoon();
});
onClick('previous', () => browse(-1));
onClick('next', () => browse(1));
onClick('as-curl', () => { isFetch = false; drawCall(); });
onClick('as-fetch', () => { isFetch = true; drawCall(); });
onClick('request-copy', () => copy($('request').textContent));
onClick('json-copy', () => copy($('json').textContent));
onClick('link-copy', () => copy(location.href));
onClick('text-open', () => openText('', ''));
$('text').addEventListener('submit', event => {
  if (event.submitter?.value !== 'use')
    return;
  const fault = take($('text-box').value);
  if (fault) {
    event.preventDefault();
    openText($('text-box').value, fault);
  }
});
for (const input of document.querySelectorAll('[type=file]'))
  input.addEventListener('change', async () => {
    const text = await input.files[0]?.text();
    input.value = '';
    $('text').close();
    if (text)
      takeAloud(text);
  });

const isField = node => node.closest?.('textarea, input, dialog');
document.addEventListener('paste', event => {
  const text = event.clipboardData.getData('text');
  if (isField(event.target) || !text)
    return;
  event.preventDefault();
  takeAloud(text);
});
document.addEventListener('keydown', event => {
  if (!(event.ctrlKey || event.metaKey) || event.altKey || isField(event.target))
    return;
  const key = event.key.toLowerCase();
  if (key === 'z' || key === 'y') {
    event.preventDefault();
    if (key === 'y' || event.shiftKey)
      board.redo();
    else
      board.undo();
  }
});

document.addEventListener('dragover', event => {
  event.preventDefault();
  document.body.classList.add('dropping');
});
document.addEventListener('dragleave', event => {
  if (!event.relatedTarget)
    document.body.classList.remove('dropping');
});
document.addEventListener('drop', async event => {
  event.preventDefault();
  document.body.classList.remove('dropping');
  const { files } = event.dataTransfer;
  takeAloud(files.length ? await files[0].text() : event.dataTransfer.getData('text'));
});

window.addEventListener('hashchange', takeHash);
initBulk(cells => {
  board.put(cells);
  $('board').scrollIntoView({ block: 'center' });
});
drawCall();
takeHash();
board.forget();
drawEdit();
if (board.cells.every(v => !v))
  checkNow();
navigator.serviceWorker?.register('sw.js').catch(() => {});
