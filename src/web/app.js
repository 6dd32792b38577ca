// The page: what happens when, and what is said about it.
import { Board, make } from './board.js';
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
  exMany: '........2.2..5.8.1......3..7.4.9........8541.....37...18....9....7..9...2...4..58',
  exNone: '..9.287..8.6..4..5..3.....46.........2.71345.........23.....5..9..4..8.7..125.3..',
  exSlow: '6..1.......3..9.6........4.........3.61.54............1.7....5..8.....1..........',
};

const $ = id => document.getElementById(id);
translatePage();
const board = new Board($('board'));

let check = null; // the running check and search, to abort
let search = null;
let list = []; // the solutions to browse, as lines
let place = 0;
let mostSteps = Infinity; // that the server allows, once it has said so

// ---- Saying ----

let aloudTimer;
/** Says a text to screen readers, once typing pauses, unless it is what was said last. */
function sayAloud(text) {
  clearTimeout(aloudTimer);
  aloudTimer = setTimeout(() => $('aloud').textContent = text, 800);
}

function tell(count, head, line = '', kind = '', aloud = line) {
  sayAloud(`${head}. ${aloud}`);
  $('said').className = kind;
  $('count').textContent = count;
  $('count').classList.toggle('long', count.length > 4);
  $('head').textContent = head;
  $('line').textContent = line;
}

function tellFaults(texts) {
  $('faults').hidden = texts.length === 0;
  $('faults').replaceChildren(...texts.map(textContent => make('li', { textContent })));
}

function offer(id, text, action) {
  $(id).hidden = !text;
  $(id).textContent = text ?? '';
  $(id).onclick = () => {
    $('solve').focus(); // as this button goes
    action();
  };
}

function reset() {
  list = [];
  tellFaults([]);
  offer('more');
  offer('longer');
  offer('hide');
  drawBrowse();
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
  const words = inWords(conflicts);
  board.markBad(conflicts.flatMap(conflict => conflict.cells));
  tell('!', say('conflicts', { n: conflicts.length }), say('conflictLine'), 'wrong', words.join(' '));
  tellFaults(words);
}

/** What this page sees by itself: clashes, or nothing but what is given. */
function tellWithoutAnswer(...otherwise) {
  const conflicts = findConflicts(board.cells);
  if (conflicts.length)
    tellConflicts(conflicts);
  else
    tell(...otherwise);
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
  $('as-curl').ariaPressed = !isFetch;
  $('as-fetch').ariaPressed = isFetch;
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
  const timer = setTimeout(tellWithoutAnswer, 400, '…', say('searching'), '', 'quiet');
  try {
    const answer = await askAndShow('/validate', { puzzle: board.line, max_steps: GLANCE }, mine.signal);
    if (!mine.signal.aborted)
      tellCheck(answer);
  } catch (error) {
    if (mine.signal.aborted)
      return;
    if (error instanceof Unreachable)
      tellWithoutAnswer('–', say('unreachable'), say('unreachableLine'));
    else
      tellError(error);
  } finally {
    clearTimeout(timer);
  }
}

function tellCheck({ valid, solved, clues, status, conflicts }) {
  if (!valid) {
    tellConflicts(conflicts);
    return;
  }
  const [count, key, kind] = solved ? ['✓', 'complete']
    : !clues ? ['–', 'empty', 'quiet']
      : { unique: ['1', 'unique'], multiple: ['2+', 'several'], none: ['0', 'none', 'wrong'] }[status]
        ?? ['?', 'unsure'];
  tell(count, say(key), say(key + 'Line', { n: clues }), kind, '');
}

// ---- Solving ----

function setBusy(isBusy) {
  $('busy').hidden = !isBusy;
  $('solve').textContent = say(isBusy ? 'cancel' : 'solve');
  if (isBusy)
    tell('…', say('searching'), '', 'quiet');
}

/** Solves the puzzle. `before` is the answer that `asked` goes on from. */
async function solve(asked = { puzzle: board.line }, before = null) {
  clearTimeout(checkTimer);
  check?.abort();
  search?.abort();
  const mine = search = new AbortController();
  const cells = board.cells;
  const timer = setTimeout(setBusy, 150, true);
  const began = performance.now();
  let isLocal = false;
  let answer;

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
    tellSolved(asked, answer, performance.now() - began, isLocal);
  } catch (error) {
    if (mine !== search)
      return;
    setBusy(false);
    const limit = error.problem?.errors?.find(e => e.pointer === '/max_steps')?.detail.match(/ to (\d+)/);
    if (mine.signal.aborted)
      tell('–', say('cancelled'));
    else if (before && limit) {
      mostSteps = +limit[1];
      tellSolved(...before);
    } else
      tellError(error);
  } finally {
    clearTimeout(timer);
    if (mine === search)
      search = null;
  }
}

function tellSolved(...said) {
  const [question, answer, ms, isLocal] = said;
  const { status, solution_count: n, count_exact: isExact, budget_exhausted: isSpent } = answer;
  const asked = question.max_solutions ?? 2;
  const budget = question.max_steps ?? BUDGET;
  const larger = Math.min(budget * 10, mostSteps);
  const head = status !== 'multiple' ? status
    : isExact ? 'exactly' : n >= LIST && !isSpent ? 'orMore' : 'atLeast';
  const badge = { unique: '1', none: '0', solvable: '1+', undetermined: '?' }[status]
    ?? number(n) + (isExact ? '' : '+');
  const notes = [
    ['solvable', 'undetermined'].includes(status) && say(status + 'Line'),
    isSpent && say('budget', { n: budget }),
    isSpent && larger <= budget && say('largest'),
    answer.solution && !answer.solution_is_first && say('notFirst'),
    isLocal && say('locally'),
    say('effort', { n: answer.steps, ms: number(ms, ms < 10 ? 1 : 0) }),
  ];
  tell(badge, say(head, { n }), notes.filter(Boolean).join(' '), status === 'none' ? 'wrong' : '');

  list = answer.solutions ?? (answer.solution ? [answer.solution] : []);
  place = 0;
  drawBrowse();
  if (answer.solution) {
    board.show(fromLine(answer.solution));
    offer('hide', say('hide'), hide);
  }

  const next = asked < LIST ? LIST : MOST;
  const kept = { puzzle: question.puzzle, ...(question.max_steps && { max_steps: question.max_steps }) };
  if (status === 'multiple' && !isExact && asked < MOST && !isSpent && !(isLocal && asked >= LIST))
    offer('more', say('more', { n: next }),
      () => solve({ ...kept, max_solutions: next, ...(next === LIST && { solutions: true }) }));
  if (isSpent && larger > budget)
    offer('longer', say('longer', { n: larger }), () => solve({ ...question, max_steps: larger }, said));
}

function drawBrowse() {
  $('browse').hidden = list.length < 2;
  $('place').textContent = list.length < 2 ? '' : say('place', { i: place + 1, n: list.length });
}

function hide() {
  board.show(null);
  reset();
  checkSoon();
}

function browse(by) {
  place = (place + by + list.length) % list.length;
  board.show(fromLine(list[place]));
  drawBrowse();
}

// ---- Getting puzzles in and out ----

/** Takes text from a link, paste, drop or file; what is wrong with it is said beside it. */
function take(text) {
  const many = readMany(text);
  const { cells, fault } = many ? {} : readPuzzle(text);
  if (fault) {
    openText(text, say(fault.key, fault));
    return;
  }
  $('text').close();
  if (many)
    runBulk(many, sayAloud);
  else
    board.put(cells);
}

function openText(text, fault) {
  $('text-box').value = text.slice(0, 20000);
  $('text-fault').textContent = fault;
  if (!$('text').open)
    $('text').showModal();
  $('text-box').focus();
}

/** A file that cannot be read, such as a folder, is taken for an empty one. */
const takeFile = async file => file && take(await file.text().catch(() => ''));

function takeHash() {
  let text = location.hash.slice(1);
  try {
    text = decodeURIComponent(text);
  } catch { /* then it is read as it stands */ }
  if (text)
    take(text);
}

/** Copies without a clipboard to write to: on a page by plain HTTP from another machine. */
function copyAnyway(text) {
  document.addEventListener('copy', event => {
    event.clipboardData.setData('text/plain', text);
    event.preventDefault();
  }, { once: true });
  return document.execCommand('copy');
}

async function copy(text) {
  const isCopied = await navigator.clipboard?.writeText(text).then(() => true, () => false);
  toast(say(isCopied || copyAnyway(text) ? 'copied' : 'notCopied'));
}

// ---- Wiring ----

const isEmpty = () => board.cells.every(v => !v);

function drawEdit() {
  $('undo').disabled = !board.past.length;
  $('redo').disabled = !board.future.length;
}

board.addEventListener('change', () => {
  search?.abort();
  search = null;
  setBusy(false);
  reset();
  drawEdit();
  history.replaceState(null, '', isEmpty() ? location.pathname : '#' + board.line);
  $('examples').value = Object.keys(examples).find(key => examples[key] === board.line) ?? '';
  checkSoon();
});
board.addEventListener('solve', () => solve());

for (let v = 1; v <= 10; v++)
  $('digits').append(make('button', {
    textContent: v < 10 ? v : '⌫',
    ariaLabel: v < 10 ? say('write', { v }) : say('erase'),
    onclick: () => board.write(v % 10),
  }));
$('digits').addEventListener('mousedown', event => {
  event.preventDefault();
  board.focus(); // so that keys go on where fingers stop
});

$('examples').append(new Option(say('examples'), ''),
  ...Object.keys(examples).map(key => new Option(say(key), key)));
$('examples').options[0].disabled = true;
$('examples').addEventListener('change', event => board.put(fromLine(examples[event.target.value])));

const onClick = (id, action) => $(id).addEventListener('click', action);
onClick('undo', () => board.undo());
onClick('redo', () => board.redo());
onClick('clear', () => board.put(Array(81).fill(0)));
onClick('marks', () => {
  $('marks').ariaPressed = board.hasMarks = !board.hasMarks;
  board.draw();
});
onClick('solve', () => search ? search.abort() : solve());
onClick('previous', () => browse(-1));
onClick('next', () => browse(1));
onClick('as-curl', () => { isFetch = false; drawCall(); });
onClick('as-fetch', () => { isFetch = true; drawCall(); });
onClick('request-copy', () => copy($('request').textContent));
onClick('json-copy', () => copy($('json').textContent));
onClick('link-copy', () => copy(location.href));
onClick('text-open', () => openText('', ''));
$('text').addEventListener('submit', event => {
  if (event.submitter?.value === 'use') {
    event.preventDefault();
    take($('text-box').value);
  }
});
for (const input of document.querySelectorAll('[type=file]'))
  input.addEventListener('change', async () => {
    await takeFile(input.files[0]);
    input.value = '';
  });

const isField = node => node.closest?.('textarea, input, dialog');
document.addEventListener('paste', event => {
  const text = event.clipboardData.getData('text');
  if (isField(event.target) || !text)
    return;
  event.preventDefault();
  take(text);
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
document.addEventListener('drop', event => {
  event.preventDefault();
  document.body.classList.remove('dropping');
  const { files } = event.dataTransfer;
  if (files.length)
    takeFile(files[0]);
  else
    take(event.dataTransfer.getData('text'));
});

window.addEventListener('hashchange', takeHash);
initBulk(cells => {
  board.put(cells);
  board.focus();
  $('board').scrollIntoView({ block: 'center' });
});
drawCall();
takeHash();
board.past = []; // where undo ends
drawEdit();
if (isEmpty())
  checkNow();
navigator.serviceWorker?.register('sw.js').catch(() => {});
