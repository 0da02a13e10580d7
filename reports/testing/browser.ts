import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';

/** The path of the browser; without one these tests are skipped with a message. `.ci/chromium run` sets it. */
export const browserPath = process.env.GATECHECK_TEST_CHROMIUM ?? '';

/** The name of a test, with a note if it is skipped for lack of a browser. */
export function nameOf(what: string): string {
  return browserPath === '' ? `${what} (left out: GATECHECK_TEST_CHROMIUM names no browser)` : what;
}

export function launch(): Promise<Browser> {
  // As root, Chromium has no sandbox; the page is our own.
  const args = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  return chromium.launch({ executablePath: browserPath, args });
}

/** A page, with the complaints of its console and the addresses that it requested. */
export interface WatchedPage {
  readonly page: Page;
  readonly complaints: string[];
  readonly asked: string[];
}

export async function openPage(
  browser: Browser,
  url: string,
  options: BrowserContextOptions = {},
): Promise<WatchedPage> {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  // A long timeout for busy machines; what the tests wait for always comes.
  page.setDefaultTimeout(60_000);
  const complaints: string[] = [];
  const asked: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('request', (request) => asked.push(request.url()));
  await page.goto(url);
  return { page, complaints, asked };
}

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** The serious and critical findings of axe-core for the page, one line each. */
export async function findingsIn(page: Page): Promise<string[]> {
  const { violations } = (await page.evaluate(`${axe}; axe.run()`)) as {
    violations: { id: string; impact: string; nodes: { html: string }[] }[];
  };
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, impact, nodes }) => `${impact} ${id}: ${nodes[0]?.html ?? ''}`);
}
