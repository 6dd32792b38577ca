// Grids and texts: no page, no network. A grid is an array of 81 numbers, 0 for a blank.
// Texts are read by the rules of include/sudoku/text.h, so that a paste needs no answer from afar.

const nine = [...Array(9).keys()];
const ALL = [...Array(81).keys()];

const unitsOf = {
  row: nine.map(i => nine.map(k => i * 9 + k)),
  column: nine.map(i => nine.map(k => k * 9 + i)),
  box: nine.map(i => nine.map(k => (i - i % 3 + Math.floor(k / 3)) * 9 + i % 3 * 3 + k % 3)),
};
const units = Object.values(unitsOf).flat();
export const PEERS = ALL.map(c => ALL.filter(d => d !== c && units.some(u => u.includes(c) && u.includes(d))));

export const toLine = cells => cells.map(v => v || '.').join('');
export const fromLine = line => [...line].map(c => +c || 0);

/** The clashes, as /validate lists them. */
export function findConflicts(cells) {
  const found = [];
  for (const [unit, list] of Object.entries(unitsOf))
    list.forEach((unitCells, index) => {
      for (let value = 1; value <= 9; value++) {
        const at = unitCells.filter(c => cells[c] === value);
        if (at.length > 1)
          found.push({ unit, index, value, cells: at.map(c => [Math.floor(c / 9), c % 9]) });
      }
    });
  return found;
}

/** What a blank cell may be by its row, column and box. */
export const candidatesOf = (cells, cell) =>
  nine.map(i => i + 1).filter(v => !PEERS[cell].some(p => cells[p] === v));

// ---- Texts ----

const isBoxDrawing = c => c >= '\u2500' && c <= '\u257f';
const MOST = 999; // cells of a line; what follows is no puzzle, however long

/** One line taken apart: its cells, or where it is bad. `page` remembers between lines. */
function takeRow(line, page) {
  const row = { cells: [], groups: 0, singles: 0, longest: 0, number: '', bad: -1 };
  const seen = {};
  let due = true;
  let i = line.length - line.trimStart().length;
  const add = text => {
    for (const c of text)
      row.cells.push(+c || 0);
    row.groups++;
    row.singles += text.length === 1;
    if (text.length > 1 && row.longest <= 1)
      row.number = text;
    row.longest = Math.max(row.longest, text.length);
  };

  while (i < line.length && row.cells.length < MOST && !(line[i] === '#' && !row.groups)) {
    const c = line[i];
    const group = /^[0-9._*xX?-]+/.exec(line.slice(i, i + MOST))?.[0];
    if (group) {
      add(group);
      seen.sure ||= /[0-9_xX?]/.test(group);
      seen.dot ||= group.includes('.');
      seen.dash ||= /[-*]/.test(group);
      due = false;
      i += group.length;
      continue;
    }
    if (' \t,;#'.includes(c) && row.longest > 9 && (seen.sure || seen.dot))
      break;
    if (!' \t,|:\'+='.includes(c) && !isBoxDrawing(c)) {
      row.bad = i;
      break;
    }
    if (c === ',') {
      seen.comma = true;
      if (due)
        add('0');
      due = true;
    }
    seen.ruler ||= '+='.includes(c);
    i++;
  }
  if (due && seen.comma && row.bad < 0) {
    page.endsInBlank ??= row.cells.length % 9 !== 0;
    if (page.endsInBlank)
      add('0');
  }
  const fits = [9, 81].includes(row.cells.length);
  if (!seen.sure && !seen.comma && seen.dash &&
      (seen.ruler || !fits || !(seen.dot || page.dashes)))
    row.cells = [];
  return row;
}

function faultOf(row, before, width, line) {
  const count = row.cells.length;
  const n = before + count;
  const isEven = row.groups * row.longest === count;
  const isSpaced = row.singles * 2 >= row.groups || row.longest === 2;
  if (row.bad >= 0)
    return { key: 'faultChar', c: String.fromCodePoint(row.text.codePointAt(row.bad)), n, line };
  if (count && row.groups > 1 && row.longest > 1 && (isSpaced || (!isEven && count === width)))
    return { key: 'faultNumber', c: row.number, line };
  if (count !== width)
    return width === 81 ? { key: 'faultCount', n: count } : { key: 'faultRow', n: count, line };
  return null;
}

function readRows(lines, page) {
  const rows = [];
  let isElsewhere = false;
  lines.some((text, i) => {
    const section = /^\s*\[([a-z]+)]\s*$/i.exec(text);
    if (section)
      isElsewhere = section[1].toLowerCase() !== 'puzzle';
    else if (!isElsewhere) {
      const row = takeRow(text, page);
      if (row.cells.length || row.bad >= 0)
        rows.push({ ...row, text, line: i + 1 });
    }
    return rows.length > 9; // ten are too many, whatever they hold
  });
  const first = rows[0]?.cells.length;
  const width = first === 9 || (first !== 81 && rows.length > 1) ? 9 : 81;
  const cells = [];
  for (const row of rows) {
    if (cells.length === 81 && row.bad < 0)
      return { fault: { key: 'faultCount', n: 81 + row.cells.length } };
    const fault = faultOf(row, cells.length, width, row.line);
    if (fault)
      return { fault };
    cells.push(...row.cells);
  }
  return cells.length === 81 ? { cells } : { fault: { key: 'faultCount', n: cells.length } };
}

const linesOf = text => text.replace(/^\ufeff/, '').split(/\r\n|\n|\r/);

function readLines(lines) {
  const read = readRows(lines, {});
  const other = read.cells ? read : readRows(lines, { dashes: true });
  return other.cells ? other : read;
}

/** Reads a text of one puzzle: {cells} or {fault}. */
export const readPuzzle = text => readLines(linesOf(text));

const isSkipped = line => /^\s*(#|$)/.test(line);
const isTitle = line => /^\s*"?[a-wyz][a-z]/i.test(line);
const fieldsOf = line => (line.match(/("[^"]*"|[^,;\t"])+|(?<=[,;\t]|^)(?=[,;\t]|$)/g) ?? [])
  .map(f => f.replace(/^[" ]+|[" ]+$/g, ''));

const unquoted = line => /^\s*"/.test(line) ? fieldsOf(line)[0] : line;

function readLine(text) {
  const row = { ...takeRow(text, { dashes: true }), text };
  const fault = faultOf(row, 0, 81);
  return fault ? { text, fault } : { text, cells: row.cells };
}

/** Reads a text of many puzzles: null for one, else a function for each, as all take their time; it
 *  returns {text} with {cells} or {fault}. */
export function readMany(text) {
  const lines = linesOf(text);
  const at = lines.findIndex(line => !isSkipped(line));
  if (at < 0 || lines[at].trim()[0] === '[')
    return null;
  const rest = lines.slice(at).filter(line => !isSkipped(line));
  let items;

  if (!isTitle(rest[0])) {
    items = rest.map(unquoted)
      .filter(line => !/^[-+=|\s]*$/.test(line) || takeRow(line, { dashes: true }).cells.length)
      .map(line => () => readLine(line));
    return items.length > 1 && items.some(read => read().cells) ? items : null;
  }
  const heads = fieldsOf(rest[0]).map(f => f.toLowerCase());
  const name = ['puzzle', 'puzzles', 'quizzes', 'quiz', 'sudoku', 'grid', 'clues']
    .find(n => heads.includes(n));
  const count = line => takeRow(unquoted(line), {}).cells.length;
  const next = count(rest[1] ?? '');
  const isTable = !name ? next === 81 && !/\d\s*$/.test(rest[0])
    : heads[1] != null ? next !== 9
      : count(rest.find((line, i) => i && count(line) > 8) ?? '') > 9;
  if (isTable) {
    const column = name ? heads.indexOf(name) : 0;
    return rest.slice(1).map(line => () => readLine(fieldsOf(line)[column] ?? ''));
  }
  const blocks = [];
  for (const line of lines.slice(at))
    if (isTitle(line))
      blocks.push([]);
    else
      blocks.at(-1).push(line);
  items = blocks.map(block => () => ({ ...readLines(block), text: block.join(' ').trim() }));
  return items.some(read => read().cells) ? items : null;
}
