// A server and a browser for the tests, and what they have in common.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';

export const root = fileURLToPath(new URL('../../', import.meta.url));
export const out = join(root, 'out/browser');

export async function startServer(program, ...flags) {
  const child = spawn(program, ['--port', '0', ...flags], { stdio: ['ignore', 'ignore', 'pipe'] });
  for await (const line of createInterface(child.stderr)) {
    const { event, port } = JSON.parse(line);
    if (event === 'listening')
      return { origin: `http://127.0.0.1:${port}`, stop: () => child.kill('SIGKILL') };
  }
  throw new Error(`${program} did not start`);
}

export async function startBrowser() {
  const profile = mkdtempSync(join(tmpdir(), 'sudokud-browser-'));
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--disable-background-networking',
      '--no-first-run', `--disk-cache-dir=${profile}`],
  });
  return { browser, stop: async () => { await browser.close(); rmSync(profile, { recursive: true, force: true }); } };
}

const tests = [];
export const test = (name, run, options = {}) => tests.push({ name, run, options });

/** Runs the tests that match, each in a context of its own. Returns how many failed. */
export async function runAll(browser, program, origin, filter) {
  mkdirSync(out, { recursive: true });
  let failed = 0;
  let ran = 0;
  for (const { name, run, options } of tests) {
    if (filter && !name.includes(filter))
      continue;
    const context = await browser.newContext({
      viewport: { width: 1280, height: 900 }, locale: 'en-US', serviceWorkers: 'block', ...options,
    });
    const page = await context.newPage();
    const faults = [];
    page.setDefaultTimeout(20000);
    page.on('pageerror', error => faults.push(String(error)));
    page.on('console', message => {
      if (message.type() === 'error' && !/Failed to load resource/.test(message.text()))
        faults.push(message.text());
    });
    ran++;
    try {
      await page.goto(origin + '/');
      await run({ page, context, origin, program });
      assert.deepEqual(faults, [], 'errors in the console');
      console.log(`ok    ${name}`);
    } catch (error) {
      failed++;
      console.log(`FAIL  ${name}\n      ${String(error.stack).split('\n').slice(0, 12).join('\n      ')}`);
    }
    await context.close();
  }
  console.log(`${ran - failed} of ${ran} browser tests passed`);
  return failed;
}

export const picture = (page, name, fullPage = true) =>
  page.screenshot({ path: join(out, `${name}.png`), fullPage, animations: 'disabled' });
