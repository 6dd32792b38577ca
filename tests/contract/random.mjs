// Made-up requests around valid and invalid ones; the same for the same seed.

// mulberry32, by Tommy Ettinger.
export function randomSource(seed) {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let x = Math.imul(state ^ (state >>> 15), state | 1);
    x ^= x + Math.imul(x ^ (x >>> 7), x | 61);
    return ((x ^ (x >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (limit) => Math.floor(next() * limit);
  return { below, pick: (list) => list[below(list.length)], chance: (share) => next() < share };
}

const GOOD = '534678912672195348198342567859761423426853791713924856961537284287419635345286179';
const CELLS = ['0', '.', '-', 'x', '?', '1', '5', '9', 'k', ' ', '\n', '\u00e9', '\t', ''];
const OTHER_PATHS = ['/livez', '/readyz', '/openapi.yaml', '/', '/solve/', '/Solve', '/nothing%20here', '/%ff'];
const OTHER_METHODS = ['OPTIONS', 'PUT', 'DELETE', 'PATCH'];
const TYPES = ['application/json', 'application/json; charset=utf-8', 'application/x-ndjson', 'text/plain',
  'text/csv', 'application/x-www-form-urlencoded', undefined, 'application/xml', 'text', ';'];
const ACCEPTS = [undefined, undefined, '*/*', 'application/json', 'text/plain', 'application/x-ndjson',
  'text/*;q=0.5, application/json;q=0.1', 'image/png', '*/*;q=0', 'application/problem+json', ','];
const VALUES = [0, 1, 2, 3, 7, 1000, 1001, 1000000, 1000001, 1e300, -1, 1.5, '5', 'true', true, false, null,
  [], {}, ''];
const NAMES = ['puzzle', 'puzzles', 'max_solutions', 'max_steps', 'solutions', 'max_step', 'a/b~c', '',
  'line\nend', '\u0000', '\ud83d\ude00', 'x'.repeat(300)];

export function randomRequest(random) {
  const { below, pick, chance } = random;

  const grid = () => {
    const cells = [...GOOD].map((cell) => (chance(0.55) ? '.' : cell));
    for (let i = chance(0.5) ? 0 : below(3); i > 0; i--) cells[below(81)] = pick(CELLS);
    const rows = Array.from({ length: 9 }, (_, row) => cells.slice(row * 9, row * 9 + 9));
    return pick([cells.join(''), rows.map((r) => r.join('')).join('\n'), rows.map((r) => r.join(' ')).join('\r\n')]);
  };
  const array = () => {
    const rows = Array.from({ length: 9 }, (_, row) =>
      [...GOOD.slice(row * 9, row * 9 + 9)].map((cell) => (chance(0.55) ? pick([0, null]) : Number(cell))));
    for (let i = chance(0.5) ? 0 : below(3); i > 0; i--) rows[below(9)][below(12)] = pick(VALUES);
    if (chance(0.1)) rows.splice(below(9), 1, ...pick([[], [[], []], [5]]));
    return rows;
  };
  const puzzle = () => (chance(0.05) ? pick(VALUES) : chance(0.5) ? grid() : array());
  const options = () => {
    const got = chance(0.8) ? { max_steps: pick([1, 10, 500]) } : {};
    for (let i = below(3); i > 0; i--) got[pick(NAMES)] = pick(VALUES);
    return got;
  };
  const json = () => (chance(0.1) ? puzzle() : { puzzle: puzzle(), ...options() });
  const many = () => ({ puzzles: Array.from({ length: below(6) }, puzzle), ...options() });
  const list = (make, end) => Array.from({ length: below(6) }, make).join(end) + pick([end, '']);
  const query = () => new URLSearchParams(
    Object.entries({ ...(chance(0.7) ? { puzzle: grid() } : {}), ...options() })).toString();
  // A byte is lost, doubled or changed.
  const broken = (text) => {
    const at = below(text.length + 1);
    return chance(0.8) ? text
      : text.slice(0, at) + pick(['', '"', ',', '}', ']', '\\', '%', '\u0001', '\ufeff', '7', '=', '&']) +
        text.slice(at + below(2));
  };
  const bodies = [() => JSON.stringify(json()), () => JSON.stringify(many()),
    () => list(() => JSON.stringify(json()), '\n'), grid, () => list(grid, '\n'),
    () => `name,puzzle\n${list(() => `a,${grid()}`, '\n')}`, query, () => '', () => undefined];

  const method = chance(0.1) ? pick(OTHER_METHODS) : pick(['POST', 'POST', 'POST', 'GET', 'HEAD']);
  const headers = {};
  const type = pick(TYPES);
  const accept = pick(ACCEPTS);
  if (type !== undefined && method === 'POST') headers['Content-Type'] = type;
  if (accept !== undefined) headers.Accept = accept;
  if (chance(0.2)) headers['If-None-Match'] = pick(['*', '"x"', 'W/"0"', '']);
  if (chance(0.2)) headers.Origin = pick(['https://page.example', 'null']);
  if (chance(0.1)) headers['Access-Control-Request-Method'] = pick(['POST', 'PUT']);
  if (chance(0.2)) headers['X-Request-Id'] = pick(['mine', 'not sane', 'x'.repeat(65)]);
  if (chance(0.1)) headers.Expect = '100-continue';
  const path = chance(0.1) ? pick(OTHER_PATHS) : pick(['/solve', '/validate']);
  const asked = method === 'POST' ? chance(0.2) : chance(0.9);
  const body = method === 'POST' || chance(0.05) ? pick(bodies)() : undefined;
  return {
    method,
    path: path + (asked ? `?${broken(query()).replace(/[^!-~]|#/g, '')}` : ''),
    headers,
    body: body === undefined ? undefined : broken(body),
  };
}
