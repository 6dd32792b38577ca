// What the page says. What is fixed stands in index.html, in both languages; here is the rest.

const en = {
  examples: 'Examples', cell: 'Row {r}, column {c}: {v}', blank: 'blank', given: '{v}, given', solved: '{v}, solved',
  inConflict: 'in conflict', candidates: 'may be {list}', noCandidate: 'no digit fits',
  write: 'Write {v}', erase: 'Erase', exEasy: 'Easy', exFew: '17 clues', exHard: 'Hard',
  exHardest: 'Among the hardest', exMany: 'Many solutions',
  exNone: 'No solution', exSlow: 'Made to be slow',
  empty: 'An empty board', emptyLine: 'Type, paste or drop a puzzle, or begin with an example.',
  unique: 'Exactly one solution', uniqueLine: '{n} clue(s), a proper puzzle.',
  several: 'Several solutions', severalLine: 'There is more than one way to fill the board from {n} clue(s).',
  none: 'No solution', noneLine: 'No rule is broken, and yet these {n} clue(s) cannot be completed.',
  unsure: 'Not seen at a glance', unsureLine: '{n} clue(s). Solve takes a longer look.',
  complete: 'Solved', completeLine: 'All 81 cells are filled, and no rule is broken.',
  conflicts: 'Conflicts: {n}', conflictLine: 'A digit may stand only once in each row, column and box.',
  conflictItem: '{unit} {i} holds {v} in {cells}.', row: 'Row', column: 'Column', box: 'Box',
  cellName: 'row {r}, column {c}', atColumns: 'columns {list}', atRows: 'rows {list}',
  searching: 'Searching …', cancel: 'Cancel', solve: 'Solve', cancelled: 'Cancelled',
  atLeast: 'At least {n} solutions', exactly: 'Exactly {n} solutions', orMore: '{n} or more solutions',
  solvable: 'At least one solution', solvableLine: 'Whether it is the only one is not known.',
  undetermined: 'Not known', undeterminedLine: 'No solution was found so far, and none excluded.',
  budget: 'The budget of {n} steps ended first.', notFirst: 'It may not be the first in reading order.',
  largest: 'The server allows no more.', effort: '{n} step(s) · {ms} ms', locally: 'Solved in this page, without the server.',
  hide: 'Hide the solution', more: 'Count further, to {n}', longer: 'Search on, {n} steps', place: 'Solution {i} of {n}',
  refused: 'The server refused', unreachable: 'No connection', unreachableLine: 'The server cannot be reached; Solve works in this page.',
  copied: 'Copied', notCopied: 'The browser did not allow copying.',
  faultCount: '{n} cell(s), not 81.', faultRow: '{n} cell(s) in line {line}, not 9.',
  faultChar: 'Unexpected “{c}” in line {line}, after {n} cell(s).', faultNumber: '“{c}” in line {line} is not a value from 0 to 9.',
  bulkRunning: '{done} of {all} · {rate} a second', bulkDone: '{all} puzzles in {s} s · {rate} a second',
  bulkStopped: 'Stopped after {done} of {all}. {why}', bulkRest: 'The first {n} are shown; the download has all {all}.',
  toBoard: 'Put puzzle {n} on the board',
};

const ko = {
  examples: '예제',
  cell: '{r}행 {c}열: {v}', blank: '빈칸', given: '{v}, 주어진 수', solved: '{v}, 풀이', inConflict: '충돌',
  candidates: '후보 {list}', noCandidate: '맞는 숫자 없음', write: '{v} 쓰기', erase: '지우기',
  exEasy: '쉬움', exFew: '단서 17개', exHard: '어려움', exHardest: '가장 어려운 축',
  exMany: '해가 여럿', exNone: '해가 없음', exSlow: '일부러 느리게 만든 문제',
  empty: '빈 판', emptyLine: '입력하거나 붙여넣거나 끌어다 놓으세요. 예제로 시작해도 됩니다.',
  unique: '해가 정확히 하나', uniqueLine: '단서 {n}개의 올바른 문제입니다.',
  several: '해가 여럿', severalLine: '단서 {n}개로는 채우는 방법이 하나로 정해지지 않습니다.',
  none: '해가 없음', noneLine: '어긴 규칙은 없지만 단서 {n}개로는 완성할 수 없습니다.',
  unsure: '한눈에 알 수 없음', unsureLine: '단서 {n}개. ‘풀기’는 더 오래 살펴봅니다.',
  complete: '완성', completeLine: '81칸이 모두 찼고 어긴 규칙이 없습니다.',
  conflicts: '충돌 {n}곳', conflictLine: '한 숫자는 행, 열, 상자마다 한 번만 나올 수 있습니다.',
  conflictItem: '{unit} {i}: {cells}에 모두 {v}.', row: '행', column: '열', box: '상자',
  cellName: '{r}행 {c}열', atColumns: '{list}열', atRows: '{list}행',
  searching: '찾는 중 …', cancel: '취소', solve: '풀기', cancelled: '취소됨',
  atLeast: '해가 적어도 {n}개', exactly: '해가 정확히 {n}개', orMore: '해가 {n}개 이상',
  solvable: '해가 적어도 하나', solvableLine: '유일한 해인지는 아직 모릅니다.',
  undetermined: '알 수 없음', undeterminedLine: '아직 해를 찾지 못했고, 없다고 밝혀지지도 않았습니다.',
  budget: '예산 {n}단계가 먼저 끝났습니다.', notFirst: '읽는 순서로 첫 번째 해가 아닐 수 있습니다.',
  largest: '서버가 허용하는 최대입니다.', effort: '{n}단계 · {ms} ms', locally: '서버 없이 이 페이지에서 풀었습니다.',
  hide: '해 숨기기', more: '{n}개까지 더 세기', longer: '{n}단계로 계속', place: '해 {n}개 중 {i}번째',
  refused: '서버가 거절함', unreachable: '연결 없음', unreachableLine: '서버에 연결할 수 없습니다. ‘풀기’는 이 페이지에서 동작합니다.',
  copied: '복사했습니다', notCopied: '브라우저가 복사를 허용하지 않았습니다.',
  faultCount: '81칸이 아니라 {n}칸입니다.', faultRow: '{line}번째 줄이 9칸이 아니라 {n}칸입니다.',
  faultChar: '{line}번째 줄, {n}칸 뒤에 뜻밖의 문자 “{c}”.', faultNumber: '{line}번째 줄의 “{c}”는 0–9의 값이 아닙니다.',
  bulkRunning: '{all}개 중 {done}개 · 초당 {rate}개', bulkDone: '{all}개 문제, {s}초 · 초당 {rate}개',
  bulkStopped: '{all}개 중 {done}개에서 멈춤. {why}', bulkRest: '처음 {n}개를 표시합니다. 내려받는 파일에는 {all}개가 모두 있습니다.',
  toBoard: '{n}번 문제를 판에 놓기',
};

export const language = navigator.language?.toLowerCase().startsWith('ko') ? 'ko' : 'en';
const words = language === 'ko' ? { ...en, ...ko } : en;

export const number = (n, digits = 0) => n.toLocaleString(language, { maximumFractionDigits: digits });

/** A text by its key, with {names} filled in. */
export const say = (key, values = {}) => words[key]
  .replaceAll('(s)', values.n === 1 ? '' : 's').replace(/{(\w+)}/g, (_, name) =>
  typeof values[name] === 'number' ? number(values[name]) : values[name]);

/** Puts the fixed texts of the page into the language. */
export function translatePage() {
  document.documentElement.lang = language;
  if (language === 'en')
    return;
  for (const node of document.querySelectorAll('[data-ko]'))
    node.textContent = node.dataset.ko;
  for (const node of document.querySelectorAll('[data-label]'))
    node.ariaLabel = node.dataset.label;
}
