// The board: 81 cells, one of them selected; what was typed or given, and over it a solution.
import { candidatesOf, fromLine, PEERS, toLine } from './grid.js';
import { say } from './words.js';

/** An element with these properties. */
export const make = (tag, properties) => Object.assign(document.createElement(tag), properties);

export class Board extends EventTarget {
  cells = Array(81).fill(0);
  solution = null;
  hasMarks = false;
  past = []; // lines to undo to
  future = [];
  #bad = new Set();
  #selected = 0;
  #nodes = [];

  constructor(root) {
    super();
    for (let r = 0; r < 9; r++) {
      const row = make('div', { role: 'row', className: 'row' });
      for (let c = 0; c < 9; c++) {
        const node = make('div', { role: 'gridcell', className: 'cell' });
        node.style.setProperty('--i', r + c);
        node.addEventListener('pointerdown', () => this.select(r * 9 + c));
        node.addEventListener('focus', () => this.select(r * 9 + c, false));
        this.#nodes.push(node);
        row.append(node);
      }
      root.append(row);
    }
    root.addEventListener('keydown', event => this.#onKey(event));
    this.draw();
  }

  get line() {
    return toLine(this.cells);
  }

  /** Puts another puzzle on the board, as one step that undo takes back. */
  put(cells) {
    const line = toLine(cells);
    if (line === this.line)
      return;
    this.past.push(this.line);
    this.future = [];
    this.#change(line);
  }

  write(value) {
    const cells = this.cells.slice();
    cells[this.#selected] = value;
    this.put(cells);
  }

  undo() {
    if (this.past.length) {
      this.future.push(this.line);
      this.#change(this.past.pop());
    }
  }

  redo() {
    if (this.future.length) {
      this.past.push(this.line);
      this.#change(this.future.pop());
    }
  }

  #change(line) {
    this.cells = fromLine(line);
    this.solution = null;
    this.#bad.clear();
    this.draw();
    this.dispatchEvent(new Event('change'));
  }

  /** Shows a solution over the puzzle, or none. */
  show(solution) {
    this.solution = solution;
    this.draw();
  }

  /** Marks cells as clashing: a list of [row, column]. */
  markBad(cells) {
    this.#bad = new Set(cells.map(([r, c]) => r * 9 + c));
    this.draw();
  }

  select(cell, hasFocus = true) {
    this.#selected = cell;
    this.draw();
    if (hasFocus)
      this.focus();
  }

  focus() {
    this.#nodes[this.#selected].focus({ preventScroll: true });
  }

  #onKey(event) {
    const { key } = event;
    const row = Math.floor(this.#selected / 9);
    const column = this.#selected % 9;
    const isCommand = event.ctrlKey || event.metaKey;
    const to = {
      ArrowUp: [(row + 8) % 9, column], ArrowDown: [(row + 1) % 9, column],
      ArrowLeft: [row, (column + 8) % 9], ArrowRight: [row, (column + 1) % 9],
      Home: [isCommand ? 0 : row, 0], End: [isCommand ? 8 : row, 8],
    }[key];
    if (to && !event.altKey)
      this.select(to[0] * 9 + to[1]);
    else if (isCommand || event.altKey)
      return;
    else if (/^[1-9]$/.test(key))
      this.write(+key);
    else if (['Backspace', 'Delete', '0', '.', ' '].includes(key))
      this.write(0);
    else if (key === 'Enter')
      this.dispatchEvent(new Event('solve'));
    else
      return;
    event.preventDefault();
  }

  draw() {
    const shown = this.solution ?? this.cells;
    const value = shown[this.#selected];
    this.#nodes.forEach((node, cell) => {
      const v = shown[cell];
      const isGiven = this.cells[cell] > 0;
      const isSolved = v > 0 && !isGiven;
      const isBad = this.#bad.has(cell);
      const marks = this.hasMarks && !v ? candidatesOf(shown, cell) : null;
      let name = v ? say(isGiven ? 'given' : 'solved', { v }) : say('blank');
      if (isBad)
        name += ', ' + say('inConflict');
      if (marks)
        name += ', ' + (marks.length ? say('candidates', { list: marks.join(' ') }) : say('noCandidate'));
      const classes = { given: isGiven, solved: isSolved, bad: isBad, stuck: marks?.length === 0,
        selected: cell === this.#selected, peer: PEERS[this.#selected].includes(cell),
        same: v > 0 && v === value && cell !== this.#selected };
      for (const [className, isOn] of Object.entries(classes))
        node.classList.toggle(className, isOn);
      node.tabIndex = cell === this.#selected ? 0 : -1;
      node.ariaLabel = say('cell', { r: Math.floor(cell / 9) + 1, c: cell % 9 + 1, v: name });
      node.ariaSelected = cell === this.#selected;
      node.ariaInvalid = isBad;
      const face = marks ? 'm' + marks.join('') : String(v || '');
      if (node.dataset.face !== face) {
        node.dataset.face = face;
        node.replaceChildren(marks ? this.#marksOf(marks) : face);
      }
    });
  }

  #marksOf(marks) {
    const all = make('span', { className: 'marks' });
    for (let v = 1; v <= 9; v++)
      all.append(make('span', { textContent: marks.includes(v) ? v : '' }));
    return all;
  }
}
