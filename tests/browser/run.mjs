// The page in a browser, one test for each thing it promises. Usage: node run.mjs SUDOKUD [NAME]
import { runAll, startBrowser, startServer } from './harness.mjs';
import './entering.mjs';
import './solving.mjs';
import './many.mjs';
import './everyone.mjs';
import './rough.mjs';
import './origins.mjs';

const [program, filter] = process.argv.slice(2);
const server = await startServer(program);
const { browser, stop } = await startBrowser();
const failed = await runAll(browser, program, server.origin, filter);
await stop();
server.stop();
process.exit(failed ? 1 : 0);
