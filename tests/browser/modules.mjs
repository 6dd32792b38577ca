// The page's modules that need no page: texts read as the service reads them, clashes, the search for
// when there is no server, and words in both languages. Plain Node, no packages; part of ctest.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '../..');
const read = (...path) => readFileSync(join(root, ...path), 'utf8');
// Browsers are told that a file is a module by its type, Node by a package file that the page has no use for.
const load = (name, note = '') =>
  import(`data:text/javascript,${encodeURIComponent(read('src/web', name))}//${note}`);

const { candidatesOf, findConflicts, fromLine, readMany, readPuzzle, toLine } = await load('grid.js');
const { solveLocally } = await load('local.js');
const cases = read('tests/data/puzzles/cases.tsv').trim().split('\n').slice(1).map(line => line.split('\t'));
const solve = (line, most, maxSteps) =>
  solveLocally(fromLine(line), most, maxSteps, new AbortController().signal);

for (const name of readdirSync(join(root, 'tests/data/formats')).filter(file => file.endsWith('.expected')))
  test(`format ${name.slice(0, -9)}`, () => {
    const expected = read('tests/data/formats', name).trim().replaceAll('0', '.').split('\n');
    const text = read('tests/data/formats', name.slice(0, -9));
    const many = readMany(text);
    const found = many ? many.map(readItem => readItem()) : [readPuzzle(text)];
    assert.deepEqual(found.map(item => item.cells && toLine(item.cells)), expected);
  });

test('texts that are no puzzle: where and why', () => {
  const line = '53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79';
  const rows = line.match(/.{9}/g);
  const rowsBut = (at, row) => rows.map((other, i) => i === at ? row : other);
  for (const [text, fault] of [
    ['', { key: 'faultCount', n: 0 }],
    [line.slice(1), { key: 'faultCount', n: 80 }],
    [line + '1', { key: 'faultCount', n: 82 }],
    [line.replace('7', 'k'), { key: 'faultChar', c: 'k', n: 4, line: 1 }],
    [line.replace('7', '😀'), { key: 'faultChar', c: '😀', n: 4, line: 1 }],
    [rows.slice(0, 8).join('\n'), { key: 'faultCount', n: 72 }],
    [[...rows, rows[0]].join('\n'), { key: 'faultCount', n: 90 }],
    [rowsBut(3, '8...6...').join('\n'), { key: 'faultRow', n: 8, line: 4 }],
    [rowsBut(0, '5 3 0 0 10 0 0 0 0').join('\n'), { key: 'faultNumber', c: '10', line: 1 }],
    ['x'.repeat(1e6), { key: 'faultCount', n: 999 }],
    [`${rows[0]}\n`.repeat(1e5), { key: 'faultCount', n: 90 }],
  ])
    assert.deepEqual(readPuzzle(text).fault, fault, text.slice(0, 90));
});

test('many: a bad line spoils no other, and is told with its text', () => {
  const line = '1' + '.'.repeat(80);
  const found = readMany(`${line}\n${line.slice(1)}\n# a remark\n\n${line}\n`).map(readItem => readItem());
  assert.deepEqual(found.map(item => item.cells ? toLine(item.cells) : item.fault),
    [line, { key: 'faultCount', n: 80 }, line]);
  assert.equal(found[1].text, line.slice(1));
});

test('clashes: those of the known cases, none elsewhere', () => {
  let clashing = 0;
  for (const [id, line, solutions] of cases) {
    const units = findConflicts(fromLine(line)).map(({ unit, index, value }) =>
      `${unit.slice(0, 3)}${index + 1}:${value}`);
    const known = solutions.startsWith('invalid') ? solutions.match(/(?:row|col|box)\d:\d/g) : [];
    assert.equal(units.length > 0, known.length > 0, id);
    assert.deepEqual(known.filter(clash => !units.includes(clash)), [], id);
    clashing += units.length > 0;
  }
  assert.ok(clashing > 3);
  const [clash] = findConflicts(fromLine('5...5' + '.'.repeat(76)));
  assert.deepEqual(clash, { unit: 'row', index: 0, value: 5, cells: [[0, 0], [0, 4]] });
});

test('candidates: what no peer holds', () => {
  assert.deepEqual(candidatesOf(fromLine('.23.5...9' + '4' + '.'.repeat(71)), 0), [1, 6, 7, 8]);
});

test('search without a server: as many solutions as known, in order, within its budget', async () => {
  let settled = 0;
  for (const [id, line, solutions] of cases.filter(([, , known]) => !known.startsWith('invalid'))) {
    const answer = await solve(line, 101, 1000);
    assert.ok(answer.steps <= 1000, id);
    assert.deepEqual(answer.solutions, [...new Set(answer.solutions)].sort(), id);
    for (const solution of answer.solutions) {
      assert.deepEqual(findConflicts(fromLine(solution)), [], id);
      assert.ok([...line].every((c, i) => !(+c) || c === solution[i]), id);
    }
    if (answer.count_exact)
      assert.equal(String(answer.solution_count), solutions, id);
    else if (!answer.budget_exhausted)
      assert.ok(answer.solution_count === 101 && (solutions === '>1000' || +solutions > 100), id);
    settled += !answer.budget_exhausted;
  }
  assert.ok(settled > 50, `${settled} settled`);
});

test('search without a server: the budget is what is spent, and no more', async () => {
  const [, killer] = read('tests/data/puzzles/killers.tsv').split('\n')[1].split('\t');
  const { status, steps, budget_exhausted: isSpent, count_exact: isExact } = await solve(killer, 2, 500);
  assert.deepEqual({ status, steps, isSpent, isExact },
    { status: 'undetermined', steps: 500, isSpent: true, isExact: false });
  const stop = new AbortController();
  const search = solveLocally(fromLine(killer), 2, 1e6, stop.signal);
  stop.abort();
  await assert.rejects(search, { name: 'AbortError' });
});

test('words: every one that is asked for is there in both languages, with the same places to fill', async () => {
  const speak = async language => {
    Object.defineProperty(globalThis, 'navigator', { value: { language }, configurable: true });
    return (await load('words.js', language)).say;
  };
  const sources = ['app.js', 'board.js', 'bulk.js', 'grid.js'].map(name => read('src/web', name)).join('');
  const table = read('src/web/words.js').match(/const en = {(.*?)\n};/s)[1];
  const keys = [...table.matchAll(/(\w+): '/g)].map(([, key]) => key);
  const english = await speak('en-GB');
  const korean = await speak('ko-KR');
  const places = said => [...said.matchAll(/<\w+>/g)].map(String).sort();
  const values = new Proxy({}, { get: (_, name) => `<${name}>` });
  assert.ok(keys.length > 60);
  for (const key of keys) {
    assert.notEqual(korean(key), english(key), key);
    assert.deepEqual(places(korean(key, values)), places(english(key, values)), key);
    const stem = key.replace(/Line$/, '');
    assert.ok(sources.includes(`'${key}'`) || sources.includes(`'${stem}'`) || sources.includes(`  ${key}: '`) ||
      sources.includes(` ${key}:`), `${key} is never said`);
  }
  for (const [, key] of sources.matchAll(/say\('(\w+)'/g))
    assert.ok(keys.includes(key), `${key} is in no language`);
  assert.equal(english('effort', { n: 1, ms: '2' }), '1 step · 2 ms');
  assert.equal(english('effort', { n: 1200, ms: '2' }), '1,200 steps · 2 ms');
});

test('colours: text has a contrast of 4.5 on all it may stand on, lines that matter 3, in light, dark and print', () => {
  const css = read('src/web/style.css');
  const coloursAt = from => Object.fromEntries([...css.slice(from, css.indexOf('}', from))
    .matchAll(/--([\w-]+): #(\w+);/g)].map(([, name, hex]) => [name, hex.length === 3 ? hex.replace(/./g, '$&$&') : hex]));
  const luminance = hex => hex.match(/../g).map(pair => parseInt(pair, 16) / 255)
    .map(c => c <= .04045 ? c / 12.92 : ((c + .055) / 1.055) ** 2.4)
    .reduce((sum, c, i) => sum + c * [.2126, .7152, .0722][i], 0);
  const contrast = (a, b) => {
    const [dark, light] = [luminance(a), luminance(b)].sort((x, y) => x - y);
    return (light + .05) / (dark + .05);
  };
  const light = coloursAt(0);
  const themes = { light, dark: { ...light, ...coloursAt(css.indexOf('dark)')) },
    print: { ...light, ...coloursAt(css.indexOf('@media print {')) } };
  for (const [theme, c] of Object.entries(themes)) {
    for (const [text, grounds] of Object.entries({ ink: 'bg card pick peer same bad-bg', soft: 'bg card peer same',
      accent: 'bg card pick peer same', bad: 'card bad-bg', 'on-accent': 'accent' }))
      for (const ground of grounds.split(' '))
        assert.ok(contrast(c[text], c[ground]) >= 4.5, `${theme}: ${text} on ${ground} ${contrast(c[text], c[ground])}`);
    for (const ground of ['bg', 'card'])
      for (const line of ['edge', 'accent'])
        assert.ok(contrast(c[line], c[ground]) >= 3, `${theme}: ${line} beside ${ground}`);
  }
});
