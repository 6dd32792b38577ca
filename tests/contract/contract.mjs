// Holds openapi.yaml against the server, both ways: what the server does is documented, and what is
// documented, the server does. Usage: node contract.mjs SUDOKUD SOURCE [SEED]
import fs from 'node:fs';
import path from 'node:path';
import { execFileSync, spawnSync } from 'node:child_process';
import { Document } from './document.mjs';
import { randomRequest, randomSource } from './random.mjs';
import { ID, ask, askRaw, start } from './service.mjs';

const [sudokud, source, seed = '20260131'] = process.argv.slice(2);
const RANDOM_CASES = 1000;

// Problems that no request can provoke.
const isSpared = (problem) => problem === 'out-of-memory';

const read = (name) => fs.readFileSync(path.join(source, name), 'utf8');
const document = new Document(read('openapi.yaml'));
const failures = [];
let checks = 0;

function expect(condition, message) {
  checks++;
  if (condition) return;
  failures.push(message);
  console.log(`FAILED: ${message}`);
}

const show = ({ method = 'GET', path: at, headers = {}, body = '' }) =>
  `${method} ${at} ${JSON.stringify(headers)} ${JSON.stringify(body.slice(0, 300))}`;

// A % without two hexadecimal digits, or a NUL: the server refuses the target before all else.
const hasBadTarget = ({ path: at }) => /%(?![0-9a-f]{2})|%00/i.test(at);

// Sends a request and holds the answer against the document. `expected` is a status, several, or
// the name of a problem. A request with `raw` bytes is sent as they are; one that `isRefused` has
// something in its head for which the server looks no further.
async function check(server, request, expected) {
  const name = request.raw ?? show(request);
  let answer;
  try {
    answer = await (request.raw ? askRaw(server, request.raw) : ask(server, request));
  } catch (error) {
    expect(false, `${name}: ${error}`);
    return undefined;
  }
  const at = request.path.split('?')[0];
  const faults = document.check(request.method ?? 'GET', at, answer);
  const isRefused = request.isRefused || hasBadTarget(request);
  if (isRefused) {
    expect(answer.headers.connection === 'close', `${name}: the connection is not closed`);
    expect(!('server-timing' in answer.headers), `${name}: refused, but has the header Server-Timing`);
  } else if (['/solve', '/validate'].includes(at) && answer.status === 400) {
    expect('server-timing' in answer.headers, `${name}: the header Server-Timing is missing`);
  }
  if (hasBadTarget(request)) expect(answer.status === 400, `${name}: ${answer.status} is not 400`);
  expect(faults.length === 0, `${name}: ${answer.status}: ${faults.join('; ')}`);
  if (typeof expected === 'string') {
    const type = answer.headers['content-type'] === 'application/problem+json' && JSON.parse(answer.body).type;
    expect(type === `/problems/${expected}`, `${name}: ${answer.status} ${type} is not ${expected}`);
  } else if (expected !== undefined) {
    expect([expected].flat().includes(answer.status), `${name}: ${answer.status} is not ${expected}`);
  }
  return answer;
}

// ---- The tables of the source ----

function sameLists(what, documented, real) {
  for (const item of real) expect(documented.includes(item), `${what}: ${item} is not documented`);
  for (const item of documented) expect(real.includes(item), `${what}: ${item} is documented, but is not there`);
}

function checkTables() {
  const rows = [...read('src/api/problem.h').matchAll(/ROW\(\w+, (\d+), "([^"]+)",\s*"([^"]+)"\)/g)];
  const schemas = Object.values(document.root.components.schemas)
    .filter((schema) => schema.properties?.type?.const?.startsWith('/problems/'));
  expect(rows.length > 10, 'problem.h: its table was not found');
  sameLists('problem types',
    schemas.map(({ title, properties: p }) => `${p.status.const} ${p.type.const} ${title}: ${p.title.const}`),
    rows.map(([, status, name, title]) => `${status} /problems/${name} ${name}: ${title}`));

  const readme = read('README.md');
  const listed = [...readme.matchAll(/^\| (\d{3}) \| (.*?) \|/gm)].flatMap(([, status, names]) =>
    [...names.matchAll(/`([a-z-]+)`/g)].map(([, name]) => `${status} ${name}`));
  sameLists('README, errors', listed, rows.map(([, status, name]) => `${status} ${name}`));

  // The files that the page is made of are its own affair; the page is documented.
  const routes = [...read('src/api/routes.c').matchAll(/\{"([A-Z]+)",\s*"(\/[^"]*)",[^}]*\}/g)]
    .filter(([row, , p]) => p === '/' || !row.includes('web_asset_encode'))
    .map(([, m, p]) => `${m} ${p}`);
  sameLists('routes',
    document.operations().filter(({ method }) => method !== 'OPTIONS').map((o) => `${o.method} ${o.path}`), routes);

  const help = execFileSync(sudokud, ['--help'], { encoding: 'utf8' });
  const flags = [...help.matchAll(/^ {2}--(\S+) +(.*)\n {10,}(.*); default (.*)$/gm)].map(
    ([, flag, text, range, value]) =>
      `| \`--${flag}\` | \`SUDOKUD_${flag.toUpperCase().replaceAll('-', '_')}\` | \`${value}\` | ${range} | ${text} |`);
  sameLists('README, settings', readme.match(/^\| `--.*\|$/gm) ?? [], flags);

  const commands = execFileSync(path.join(source, 'dev'), ['help'], { encoding: 'utf8' });
  sameLists('README, ./dev', [...readme.matchAll(/^\| `\.\/dev (\w+)`/gm)].map(([, name]) => name),
    [...commands.matchAll(/^\.\/dev (\w+)/gm)].map(([, name]) => name));
}

// ---- The examples ----

const clone = (request, headers) => ({ ...request, headers: { ...request.headers, ...headers } });

// Every example of a request, in each media type.
function* exampleRequests() {
  for (const { path: at, method, operation } of document.operations()) {
    for (const [type, media] of Object.entries(operation.requestBody?.content ?? {})) {
      for (const { value } of Object.values(media.examples)) {
        const body = type === 'application/json' ? JSON.stringify(value)
          : typeof value === 'string' ? value : new URLSearchParams(value).toString();
        yield { method, path: at, headers: { 'Content-Type': type }, body };
      }
    }
    if (method === 'GET') yield* exampleQueries(at, operation);
    if (method === 'OPTIONS')
      for (const asked of ['GET', 'POST'])
        yield { method, path: at, headers: { 'Access-Control-Request-Method': asked } };
  }
}

const examplesOf = (parameter) => parameter.examples
  ? Object.values(parameter.examples).map(({ value }) => value) : [parameter.example];

function* exampleQueries(at, operation) {
  const fields = (operation.parameters ?? []).filter((parameter) => parameter.in === 'query');
  const needed = Object.fromEntries(fields.filter((f) => f.required).map((f) => [f.name, examplesOf(f)[0]]));
  const queries = [needed, ...fields.flatMap((f) => examplesOf(f).map((value) => ({ ...needed, [f.name]: value })))];
  for (const query of queries) {
    const text = new URLSearchParams(query).toString();
    yield { method: 'GET', path: at + (text ? `?${text}` : '') };
  }
}

// Every example as it is, and answered in every form, as a page of that origin sends it.
async function checkExamples(server, origin) {
  for (const request of exampleRequests()) {
    const here = clone(request, { Origin: origin });
    await check(server, here, [200, 204]);
    for (const accept of ['application/json', 'text/plain', 'application/x-ndjson', 'text/*;q=0.1'])
      await check(server, clone(here, { Accept: accept }), [200, 204, 406]);
    if (request.method === 'GET') await check(server, { ...here, method: 'HEAD' }, 200);
  }
}

// ---- What goes wrong ----

const GOOD = '530070000600195000098000060800060003400803001700020006060000280000419005000080079';
const CLASH = '53..7...56..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79';
const HARD = '6..1.......3..9.6........4.........3.61.54............1.7....5..8.....1..........';
const NONE = '..9.287..8.6..4..5..3.....46.........2.71345.........23.....5..9..4..8.7..125.3..';
const EMPTY = '.'.repeat(81);
const JSON_TYPE = { 'Content-Type': 'application/json' };
const TEXT_TYPE = { 'Content-Type': 'text/plain' };
const FAULTY = JSON.parse('[[5,3,0,0,7,0,0,0,0],[6,0,0,1,9,5,0,0],[0,9,8,0,"4",0,0,6,10],[8,0,0,0,6,0,0,0,3],' +
  '[4,0,0,8,0,3,0,0,1],[7,0,0,0,2,0,0,0,6],[0,6,0,0,0,0,2,8,0],[0,0,0,4,1,9,0,0,5],[0,0,0,0,8,0,0,7,9]]');

const post = (at, headers, body) =>
  ({ method: 'POST', path: at, headers, body: typeof body === 'string' ? body : JSON.stringify(body) });
const bodyOf = (method, body) => (method === 'POST' ? { body } : {});

async function checkAnswers(server) {
  const kept = await check(server, { path: `/solve?puzzle=${GOOD}` }, 200);
  for (const tag of [kept.headers.etag, `W/${kept.headers.etag}, "x"`, '*'])
    await check(server, { path: `/solve?puzzle=${GOOD}`, headers: { 'If-None-Match': tag } }, 304);
  for (const at of [`/validate?puzzle=${GOOD}`, '/openapi.yaml'])
    await check(server, { path: at, headers: { 'If-None-Match': '*' } }, 304);
  await check(server, post('/solve', { ...TEXT_TYPE, Accept: 'application/json' }, NONE), 200);
  await check(server, post('/solve', TEXT_TYPE, NONE), 200);
  await check(server, { path: `/solve?puzzle=${HARD}&max_steps=10`, headers: { Accept: 'text/plain' } }, 200);
  await check(server, post('/solve?max_solutions=10&solutions=true', TEXT_TYPE, `${EMPTY}\n`), 200);
  await check(server, { path: '/metrics', headers: { Accept: 'application/openmetrics-text;version=1.0.0' } }, 200);
  const served = await check(server, { path: '/openapi.yaml' }, 200);
  expect(served.body.toString() === read('openapi.yaml'), '/openapi.yaml is another document');
  for (const puzzles of [[EMPTY, [], [[]], GOOD.slice(1), CLASH, 5, null, {}], [FAULTY]])
    for (const at of ['/solve', '/validate']) {
      await check(server, post(at, JSON_TYPE, { puzzles, max_steps: 10 }), 200);
      await check(server, post(at, { 'Content-Type': 'application/x-ndjson', Accept: 'application/json' },
        puzzles.map((puzzle) => JSON.stringify({ puzzle })).join('\n') + '\n{\n'), 200);
      await check(server, post(at, { ...TEXT_TYPE, Accept: 'application/json' }, `${GOOD}\n${CLASH}\n1\n`), 200);
    }
  for (const apart of [0, 8, 9]) { // a clash in a row, a column, a box
    const puzzle = `5${'.'.repeat(apart)}5`.padEnd(81, '.');
    await check(server, post('/validate', JSON_TYPE, { puzzle }), 200);
    await check(server, post('/validate', TEXT_TYPE, puzzle), 200);
  }
}

// Requests that are refused, by what is wrong with them.
async function checkProblems(server) {
  const problems = [
    ['malformed-request', post('/solve', {}, `puzzle=${GOOD}&puzzle=${GOOD}`)],
    ['malformed-request', post('/solve', {}, 'puzzle=%zz')],
    ['malformed-request', { path: '/solve?max_steps=1&max_steps=2' }],
    ['malformed-request', { path: `/validate?puzzle=${GOOD}&puzzle=${GOOD}` }],
    ['malformed-request', post('/validate?max_steps=1&max_steps=2', TEXT_TYPE, GOOD)],
    ['malformed-json', post('/solve', JSON_TYPE, `{"puzzle":"${GOOD}",}`)],
    ['malformed-json', post('/solve', JSON_TYPE, `{"puzzle":"${GOOD}","puzzle":"${GOOD}"}`)],
    ['malformed-request', post('/solve?max_steps=5', JSON_TYPE, { puzzle: GOOD, max_steps: 5 })],
    ['malformed-json', post('/validate', JSON_TYPE, '')],
    ['malformed-text', post('/solve', TEXT_TYPE, GOOD.slice(0, 80))],
    ['malformed-text', post('/validate', {}, 'hello')],
    ['not-found', { path: '/sovle' }],
    ['not-found', { method: 'OPTIONS', path: '/solve/' }],
    ['method-not-allowed', post('/livez', {}, undefined)],
    ['not-acceptable', { path: `/solve?puzzle=${GOOD}`, headers: { Accept: 'image/png' } }],
    ['invalid-request', post('/solve', JSON_TYPE, { puzzle: FAULTY, max_step: 5 })],
    ['invalid-request', post('/solve', JSON_TYPE, { puzzle: GOOD, max_steps: 10000001 })],
    ['invalid-request', post('/solve', JSON_TYPE, '{"puzzle":"\\u0000"}')],
    ['invalid-request', post('/solve', JSON_TYPE, { puzzles: [] })],
    ['invalid-request', post('/solve', JSON_TYPE, { puzzles: 5 })],
    ['invalid-request', post('/solve', JSON_TYPE, { puzzle: GOOD, puzzles: [GOOD] })],
    ['invalid-request', post('/solve', JSON_TYPE, { puzzle: EMPTY, max_solutions: 1001, solutions: true })],
    ['invalid-request', post('/solve', JSON_TYPE, '5')],
    ['invalid-request', post('/solve', { 'Content-Type': 'application/x-ndjson' }, '\n')],
    ['invalid-request', post('/validate', JSON_TYPE, { puzzle: GOOD, max_solutions: 2 })],
    ['invalid-request', { path: '/solve' }],
    ['invalid-request', { path: '/validate?puzzle=1' }],
    ['invalid-request', { path: `/solve?puzzle=${GOOD}&${'a&'.repeat(30)}` }],
    ['conflicting-clues', post('/solve', JSON_TYPE, { puzzle: CLASH })],
    ['conflicting-clues', { path: `/solve?puzzle=${CLASH}` }],
  ];
  for (const [name, request] of problems) await check(server, request, name);

  for (const { path: at, method, operation } of document.operations()) {
    await check(server, { method, path: at, headers: { 'Content-Length': 99999999 } }, 'body-too-large');
    if (operation.responses[406])
      await check(server, { method, path: `${at}${method === 'GET' ? `?puzzle=${GOOD}` : ''}`,
        headers: { Accept: 'image/png' }, ...bodyOf(method, GOOD) }, 'not-acceptable');
    if (method === 'POST')
      await check(server, post(at, { 'Content-Type': 'application/xml' }, '<puzzle/>'), 'unsupported-media-type');
  }
}

// Requests that are refused for how they were sent, whatever the path and the method.
async function checkHeads(server) {
  const places = document.operations().map(({ path: at, method }) => ({ path: at, method }));
  for (const place of [...places, { path: '/sovle', method: 'GET' }, { path: '/sovle', method: 'PUT' }]) {
    const { method, path: at } = place;
    const refused = (problem, headers, more = '') =>
      check(server, { method, path: at + more, headers, isRefused: true }, problem);
    await refused('malformed-request', {}, '?%zz');
    await refused('malformed-request', {}, '?puzzle=%00');
    await refused('uri-too-long', {}, `?${'x'.repeat(8000)}`);
    await refused('uri-too-long', {}, `?${'x&'.repeat(64)}`);
    await refused('head-too-large', { Cookie: `a=${'x'.repeat(5400)}` });
    await refused('expectation-failed', { Expect: '200-ok' });
    await refused('not-implemented', { 'Transfer-Encoding': 'gzip, chunked' });
    const raw = (line, ...headers) =>
      [line, 'Host: x', `X-Request-Id: ${ID}`, ...headers, '', ''].join('\r\n');
    const sent = (bytes, problem) => check(server, { ...place, raw: bytes, isRefused: true }, problem);
    await sent(raw(`${method} ${at} HTTP/1.1`, 'Content-Length: 0', 'Content-Length: 0'), 'malformed-request');
    await sent(raw(`${method} ${at} HTTP/1.1`, 'Content-Length: 0', 'Transfer-Encoding: chunked'),
      'malformed-request');
    await sent(raw(`${method} ${at} HTTP/1.1`, 'Host: y'), 'malformed-request');
    await sent(raw(`${method} ${at}#x HTTP/1.1`), 'malformed-request');
    for (const other of ['BREW', 'TRACE', method.toLowerCase()])
      await sent(raw(`${other} ${at} HTTP/1.1`), 'not-implemented');
  }
  await check(server, { method: 'OPTIONS', path: '*' }, 204);
}

// What a path takes is what is documented, HEAD beside GET.
async function checkMethods(server) {
  for (const at of Object.keys(document.root.paths)) {
    const documented = document.operations().filter((o) => o.path === at).map((o) => o.method);
    if (documented.includes('GET')) documented.push('HEAD');
    const { headers } = await check(server, { method: 'OPTIONS', path: at }, 204);
    sameLists(`methods of ${at}`, documented, (headers.allow ?? '').split(', '));
    for (const method of ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'])
      if (!documented.includes(method))
        await check(server, { method, path: at }, method === 'HEAD' ? 405 : 'method-not-allowed');
  }
}

// ---- The README's scripts for web pages ----

// Each must print the block that follows it.
function checkReadme(server) {
  const blocks = [...read('README.md').matchAll(/^```(\w*)\n(.*?)^```/gms)];
  const scripts = blocks.flatMap(([, language, text], i) => (language === 'js' ? [[text, blocks[i + 1][2]]] : []));
  expect(scripts.length >= 3, 'README: its scripts were not found');
  for (const [script, printed] of scripts) {
    const local = script.replaceAll('localhost:8080', `127.0.0.1:${server.port}`);
    const got = spawnSync(process.execPath, ['--input-type=module', '--eval', local], { encoding: 'utf8' });
    expect(got.stdout === printed, `README: this prints something else:\n${script}${got.stdout}${got.stderr}`);
  }
}

// ---- Servers that are set up to refuse ----

const LISTED = 'https://page.example';
const listed = (request) => clone(request, { Origin: LISTED });
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

// A search that takes seconds, with the plainest engine.
const slow = { puzzle: EMPTY, max_solutions: 1000000, max_steps: 1000000000 };
const SLOWLY = ['--isa=reference', '--max-steps=1000000000', `--cors-origins=${LISTED}`];

async function checkDeadlines() {
  const server = await start(sudokud, '--deadline=250ms', ...SLOWLY);
  await check(server, listed(post('/solve', JSON_TYPE, slow)), 'deadline-exceeded');
  await check(server, listed({ path: `/solve?${new URLSearchParams(slow)}` }), 'deadline-exceeded');
  await check(server, post('/solve', JSON_TYPE, { puzzles: [EMPTY, GOOD], max_solutions: 1000000,
    max_steps: 1000000000 }), 200);
  await server.stop();

  const strict = await start(sudokud, '--deadline=1ms', '--max-steps=1000000000');
  for (const request of [post('/validate?max_steps=1000000000', {}, HARD),
    { path: `/validate?puzzle=${HARD}&max_steps=1000000000` }])
    await check(strict, request, 'deadline-exceeded');
  await check(strict, post('/validate', JSON_TYPE, { puzzles: [HARD, GOOD], max_steps: 1000000000 }), 200);
  await strict.stop();
}

async function checkOverload() {
  const server = await start(sudokud, '--queue=1', '--workers=1', '--deadline=60m', ...SLOWLY);
  const first = check(server, listed(post('/solve', JSON_TYPE, slow)), 'shutting-down');
  await pause(500);
  await check(server, listed(post('/solve', JSON_TYPE, slow)), 'overloaded');
  // Batches have a queue of their own. This one is broken off when the server ends.
  const batch = ask(server, post('/solve?max_solutions=1000000&max_steps=1000000000', {},
    `${EMPTY}\n${EMPTY}\n`)).catch(() => {});
  await pause(500);
  await check(server, listed(post('/solve', {}, `${EMPTY}\n${EMPTY}\n`)), 'overloaded');
  server.signal('SIGTERM');
  await pause(200);
  server.signal('SIGTERM');
  await first;
  await batch;
  expect(await server.exited === 0, 'a hurried server does not exit with 0');
}

async function checkDraining() {
  const server = await start(sudokud, '--drain-delay=60s', `--cors-origins=${LISTED}`);
  server.signal('SIGTERM');
  await pause(200);
  await check(server, listed({ path: '/readyz' }), 'shutting-down');
  await check(server, post('/solve', TEXT_TYPE, GOOD), 200);
  server.signal('SIGTERM');
  expect(await server.exited === 0, 'a draining server does not exit with 0');
}

async function checkLimits() {
  const server = await start(sudokud, '--max-body=1k', '--max-batch=2');
  await check(server, post('/solve', TEXT_TYPE, GOOD.repeat(20)), 'body-too-large');
  await check(server, post('/validate', TEXT_TYPE, `${GOOD}\n`.repeat(3)), 'body-too-large');
  await check(server, post('/solve', TEXT_TYPE, `${GOOD}\n`.repeat(2)), 200);
  // Not announced: within twice the limit it is read to its end, past that the connection is cut.
  const chunked = { ...TEXT_TYPE, 'Transfer-Encoding': 'chunked' };
  for (const { path: at, method } of document.operations()) {
    const whole = await check(server, { method, path: at, headers: chunked, body: 'x'.repeat(1500) },
      method === 'OPTIONS' ? 204 : 'body-too-large');
    const cut = await check(server, { method, path: at, headers: chunked, body: 'x'.repeat(3000),
      isRefused: true }, 'body-too-large');
    const isRead = ({ headers }) => 'access-control-allow-origin' in headers;
    expect(isRead(whole) && !isRead(cut), `${method} ${at}: a body past twice the limit`);
  }
  await server.stop();
}

// Bodies and heads that do not come.
async function checkSlow() {
  const server = await start(sudokud, '--head-timeout=200ms', '--body-timeout=200ms');
  const places = [...document.operations(), { path: '/sovle', method: 'GET' }];
  await Promise.all(places.flatMap(({ path: at, method }) => [
    check(server, { method, path: at, headers: { 'Content-Length': 5 }, isRefused: true }, 'upload-too-slow'),
    check(server, { method, path: at, raw: `${method} ${at} HTTP/1.1\r\nHost: x\r\n`, isRefused: true },
      'upload-too-slow'),
  ]));
  await server.stop();
}

// A page of an origin that is not listed can't read anything.
async function checkOrigins(server, listed) {
  const ours = await check(server, { path: '/livez', headers: { Origin: listed } }, 200);
  expect(ours.headers['access-control-allow-origin'] === listed, 'a listed origin is not allowed');
  for (const headers of [{}, { Origin: 'https://other.example' }]) {
    const others = await check(server, { path: '/livez', headers }, 200);
    expect(!('access-control-allow-origin' in others.headers), `allowed: ${JSON.stringify(headers)}`);
  }
}

async function checkRandom(server) {
  const random = randomSource(Number(seed));
  const statuses = {};
  for (let i = 0; i < RANDOM_CASES; i++) {
    const answer = await check(server, randomRequest(random));
    statuses[answer?.status] = (statuses[answer?.status] ?? 0) + 1;
  }
  expect(!('500' in statuses), 'a random request was answered 500');
  console.log(`${RANDOM_CASES} random requests, seed ${seed}: ${JSON.stringify(statuses)}`);
}

// ---- All of it ----

checkTables();
const server = await start(sudokud);
const listing = await start(sudokud, `--cors-origins=${LISTED}`);
const named = await check(server, { path: '/livez', headers: { 'X-Request-Id': 'not sane' } }, 200);
expect(/^[0-9a-f]{16}$/.test(named.headers['x-request-id']), 'no request id is made');
for (const each of [server, listing]) {
  await checkExamples(each, LISTED);
  await checkAnswers(each);
  await checkProblems(each);
  await checkHeads(each);
  await checkMethods(each);
}
await checkOrigins(listing, LISTED);
checkReadme(server);
await checkRandom(server);
await checkDeadlines();
await checkOverload();
await checkDraining();
await checkLimits();
await checkSlow();
for (const each of [server, listing]) expect(await each.stop() === 0, 'a server does not exit with 0');
for (const missing of document.unseen(isSpared)) expect(false, `documented, but not seen: ${missing}`);

console.log(failures.length === 0
  ? `contract: all ${checks} checks passed`
  : `contract: ${failures.length} of ${checks} checks FAILED`);
process.exit(failures.length === 0 ? 0 : 1);
