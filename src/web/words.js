// What the page says. English stands in index.html where it is fixed, and here where it is not.

const en = {
  examples: 'Examples', cell: 'Row {r}, column {c}: {v}', blank: 'blank', given: '{v}, given', solved: '{v}, solved',
  inConflict: 'in conflict', candidates: 'may be {list}', noCandidate: 'no digit fits',
  write: 'Write {v}', erase: 'Erase', exEasy: 'Easy', exFew: '17 clues', exHard: 'Hard',
  exHardest: 'Among the hardest', exTwo: 'Two solutions', exMany: 'Many solutions',
  exNone: 'No solution', exSlow: 'Made to be slow',
  empty: 'An empty board', emptyLine: 'Type, paste or drop a puzzle, or begin with an example.',
  unique: 'Exactly one solution', uniqueLine: '{n} clues, a proper puzzle.',
  several: 'Several solutions', severalLine: '{n} clues leave more than one way to fill the board.',
  none: 'No solution', noneLine: 'No rule is broken, and yet these {n} clues cannot be completed.',
  unsure: 'Not seen at a glance', unsureLine: '{n} clues. Solve takes a longer look.',
  complete: 'Solved', completeLine: 'All 81 cells are filled, and no rule is broken.',
  conflicts: 'Conflicts: {n}', conflictLine: 'A digit may stand only once in each row, column and box.',
  conflictItem: '{unit} {i} holds {v} in {cells}.', row: 'Row', column: 'Column', box: 'Box',
  cellName: 'row {r}, column {c}', atColumns: 'columns {list}', atRows: 'rows {list}',
  searching: 'Searching …', cancel: 'Cancel', solve: 'Solve', cancelled: 'Cancelled',
  atLeast: 'At least {n} solutions', exactly: 'Exactly {n} solutions', orMore: '{n} or more solutions',
  solvable: 'At least one solution', solvableLine: 'Whether it is the only one is not known.',
  undetermined: 'Not known', undeterminedLine: 'No solution was found so far, and none excluded.',
  budget: 'The budget of {n} steps ended first.', notFirst: 'It may not be the first in reading order.',
  effort: '{n} steps · {ms} ms', locally: 'Solved in this page, without the server.',
  more: 'Count further, to {n}', longer: 'Search on, {n} steps', place: 'Solution {i} of {n}',
  refused: 'The server refused', unreachable: 'No connection', unreachableLine: 'The server cannot be reached; Solve works in this page.',
  copied: 'Copied', notCopied: 'The browser did not allow copying.',
  faultCount: '{n} cells, not 81.', faultRow: '{n} cells in line {line}, not 9.',
  faultChar: 'Unexpected “{c}” in line {line}, after {n} cells.', faultNumber: '“{c}” in line {line} is not a value from 0 to 9.',
  bulkRunning: '{done} of {all} · {rate} a second', bulkDone: '{all} puzzles in {s} s · {rate} a second',
  bulkStopped: 'Stopped after {done} of {all}. {why}', bulkRest: 'The first {n} are shown; the download has all {all}.',
  toBoard: 'Put puzzle {n} on the board',
};

const ko = {
  tagline: '첫 번째 해, 해의 개수, 또는 해가 없다는 증명.',
  navApi: 'API 문서', examples: '예제', textOpen: '붙여넣기·열기…', linkCopy: '링크 복사',
  boardLabel: '스도쿠판', digits: '숫자', undo: '실행 취소', redo: '다시 실행', clear: '지우기', marks: '후보 숫자',
  keysHelp: '화살표로 이동, 1–9로 입력, Backspace로 삭제, Enter로 풀기. 어떤 텍스트 형식이든 붙여넣거나 끌어다 놓으세요.',
  answerTitle: '결과', browse: '해 둘러보기', previous: '이전 해', next: '다음 해', hide: '해 숨기기',
  callTitle: '호출', callAs: '호출 표시 형식', copyCall: '호출 복사', copyJson: '응답 복사', copy: '복사', jsonTitle: '응답',
  bulkTitle: '여러 문제 한꺼번에', bulkText: '한 줄에 하나씩, CSV, 또는 제목이 있는 판. 파일을 페이지 아무 곳에나 놓으세요.',
  bulkFile: '파일 선택', bulkProgress: '답한 문제', bulkSave: 'TSV 내려받기', bulkTable: '결과 표',
  puzzle: '문제', status: '상태', colCount: '개수', solution: '해',
  textTitle: '텍스트로 된 문제', textHelp: '한 줄 또는 아홉 줄의 81칸. 테두리가 있어도 됩니다. 0 . _ * x ? 는 빈칸입니다.',
  textLabel: '텍스트', textUse: '판에 놓기', textFile: '파일 열기',
  cell: '{r}행 {c}열: {v}', blank: '빈칸', given: '{v}, 주어진 수', solved: '{v}, 풀이', inConflict: '충돌',
  candidates: '후보 {list}', noCandidate: '맞는 숫자 없음', write: '{v} 쓰기', erase: '지우기',
  exEasy: '쉬움', exFew: '단서 17개', exHard: '어려움', exHardest: '가장 어려운 축',
  exTwo: '해가 둘', exMany: '해가 여럿', exNone: '해가 없음', exSlow: '일부러 느리게 만든 문제',
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
  effort: '{n}단계 · {ms} ms', locally: '서버 없이 이 페이지에서 풀었습니다.',
  more: '{n}개까지 더 세기', longer: '{n}단계로 계속', place: '해 {n}개 중 {i}번째',
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
export const say = (key, values = {}) => words[key].replace(/{(\w+)}/g, (_, name) =>
  typeof values[name] === 'number' ? number(values[name]) : values[name]);

/** Puts the fixed texts of the page into the language. */
export function translatePage() {
  document.documentElement.lang = language;
  if (language === 'en')
    return;
  for (const node of document.querySelectorAll('[data-t]'))
    node.textContent = say(node.dataset.t);
  for (const node of document.querySelectorAll('[data-label]'))
    node.setAttribute('aria-label', say(node.dataset.label));
}
