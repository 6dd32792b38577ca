// A small solver for when the server is out of reach: the cell with the fewest candidates first. It
// takes turns with the page, and ends when the signal says so.
const unitsOf = c => [Math.floor(c / 9), 9 + c % 9, 18 + Math.floor(c / 27) * 3 + Math.floor(c % 9 / 3)];

/** Answers as POST /solve with a list does. */
export async function solveLocally(puzzle, most, maxSteps, signal) {
  const cells = puzzle.slice();
  const used = new Uint16Array(27); // digits in each unit, a bit each
  const list = [];
  let steps = 0;
  let visits = 0;
  let isSpent = false;
  const flip = (c, v) => unitsOf(c).forEach(u => used[u] ^= 1 << v);
  const free = c => unitsOf(c).reduce((bits, u) => bits & ~used[u], 0x3fe);

  async function search() {
    if (++visits % 2048 === 0)
      await new Promise(resolve => setTimeout(resolve));
    signal.throwIfAborted();
    let best = -1;
    let fewest = 10;
    for (let c = 0; c < 81; c++)
      if (!cells[c]) {
        let n = 0;
        for (let bits = free(c); bits; bits &= bits - 1)
          n++;
        if (n < fewest)
          [best, fewest] = [c, n];
      }
    if (best < 0)
      list.push(cells.join(''));
    for (let v = 1, bits = best < 0 ? 0 : free(best); v <= 9 && list.length < most && !isSpent; v++) {
      if (!(bits & 1 << v))
        continue;
      isSpent = fewest > 1 && steps === maxSteps;
      if (isSpent)
        break;
      steps += fewest > 1;
      cells[best] = v;
      flip(best, v);
      await search();
      flip(best, v);
      cells[best] = 0;
    }
  }

  cells.forEach((v, c) => v && flip(c, v));
  await search();
  list.sort();
  const n = list.length;
  const isWhole = n < most && !isSpent;
  const status = n > 1 ? 'multiple' : n ? isWhole ? 'unique' : 'solvable' : isWhole ? 'none' : 'undetermined';
  return {
    status, solution: list[0] ?? null, solution_is_first: isWhole, solution_count: n,
    count_exact: isWhole, budget_exhausted: isSpent, steps, solutions: list,
  };
}
