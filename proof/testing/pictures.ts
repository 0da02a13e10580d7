// `npm run pictures`: takes the screenshots of the documents from real runs. It needs Chromium (`.ci/chromium run npm run
// pictures`).
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { launch } from 'gatecheck-reports/testing/browser';
import type { Browser } from 'playwright-core';
import { request } from 'undici';
import { parse } from 'yaml';
import { runCli } from '../../suites/cli/testing/run-cli.ts';
import { startProxy } from '../../suites/rewrite/proxy.ts';
import { startChild } from '../../suites/stack/child.ts';
import { plantedDefects } from './ten-defects.ts';

const width = 880;
const folder = mkdtempSync(join(tmpdir(), 'gatecheck-pictures-'));
const pictures = fileURLToPath(new URL('../../docs/pictures/', import.meta.url));
const launcher = fileURLToPath(new URL('../../suites/cli/gatecheck.mjs', import.meta.url));

const pathOf = (name: string): string => join(pictures, `${name}.png`);

async function openPage(browser: Browser, url: string, wide = width) {
  const page = await browser.newPage({
    viewport: { width: wide, height: wide > width ? 640 : 900 },
    colorScheme: 'light',
  });
  await page.goto(url);
  return page;
}

/** Judges the gateway of the profile with one planted defect, and opens the report. */
async function openReport(
  browser: Browser,
  target: string,
  { id, only, facts }: { readonly id: string; readonly only: string; readonly facts: 'all' | 'address' },
) {
  const mutation = plantedDefects().find((defect) => defect.id === id)?.mutation;
  if (mutation === undefined) throw new Error(`the planted defect ${id} is gone`);
  const text = readFileSync(target, 'utf8');
  const profile = parse(text) as { base_url: string; keys: { K1: string } };
  const proxy = await startProxy((path) => ({ origin: profile.base_url, path, mutation }));
  const broken = join(folder, 'broken.yaml');
  writeFileSync(broken, text.replaceAll(profile.base_url, proxy.url));
  const where = facts === 'all' ? ['--target', broken] : ['--base-url', proxy.url, '--key', profile.keys.K1];
  await runCli(['run', ...where, '--seed', '7', '--only', only, '--out', folder]);
  await proxy.close();
  const page = await openPage(browser, pathToFileURL(join(folder, 'report.html')).href);
  // It stays in view while a card is scrolled, and would cover it.
  const hideHead = () => page.addStyleTag({ content: 'nav { display: none }' });
  return { page, hideHead };
}

async function takeReport(browser: Browser, target: string): Promise<void> {
  const defect = { id: 'auth.models-open', only: 'AUTH', facts: 'address' } as const;
  const { page, hideHead } = await openReport(browser, target, defect);
  await page.screenshot({ path: pathOf('report'), clip: { x: 0, y: 0, width, height: 620 } });
  await hideHead();
  const box = await page
    .locator('#failures article', { hasText: 'auth.header.missing' })
    .first()
    .boundingBox();
  if (box === null) throw new Error('the report shows no failure');
  await page.screenshot({ path: pathOf('failure'), clip: { ...box, height: 820 }, fullPage: true });
}

async function takeTimeline(browser: Browser, target: string): Promise<void> {
  const defect = { id: 'route.timeout-as-error', only: 'route.timeout.two-attempts', facts: 'all' } as const;
  const { page, hideHead } = await openReport(browser, target, defect);
  await hideHead();
  await page
    .locator('section.story')
    .first()
    .screenshot({ path: pathOf('timeline') });
}

/** The console after an error that the gateway retried, and a stream; the stream is open. */
async function takeConsole(browser: Browser, target: string, url: string): Promise<void> {
  const page = await openPage(browser, url, 1200);
  await page.getByText('live', { exact: true }).waitFor();
  await page.getByRole('tab', { name: /Faults/ }).click();
  await page.getByLabel('Search faults').fill('server_error 500');
  await page.getByRole('button', { name: /^H6 / }).click();
  await page.getByRole('textbox', { name: 'Times' }).fill('1');
  await page.getByRole('button', { name: 'Set H6' }).click();
  const profile = parse(readFileSync(target, 'utf8')) as { base_url: string; keys: { K1: string } };
  for (const [stream, content] of [
    [false, 'Name three seas.'],
    [true, 'Which of them is the saltiest?'],
  ]) {
    const answer = await request(`${profile.base_url}/api/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${profile.keys.K1}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        model: 'alpha-5-2',
        stream,
        messages: [{ role: 'user', content }],
      }),
    });
    await answer.body.dump();
  }
  await page.getByRole('row', { name: /200/ }).last().click();
  await page.getByRole('button', { name: 'Answer', exact: true }).click();
  await page.screenshot({ path: pathOf('console') });
}

async function takeDrill(browser: Browser): Promise<void> {
  const out = join(folder, 'drill');
  await runCli(['drill', 'b4-one-region-down', '--speed', '10', '--out', out]);
  const page = await openPage(browser, pathToFileURL(join(out, 'drill.html')).href);
  await page.screenshot({ path: pathOf('drill') });
}

mkdirSync(pictures, { recursive: true });
const target = join(folder, 'target.yaml');
const up = await startChild({ name: 'up', args: [launcher, 'up', '--ui', '--target-out', target] });
const browser = await launch();
try {
  await takeConsole(browser, target, String((up.ready as { console_url: string }).console_url));
  await takeReport(browser, target);
  await takeTimeline(browser, target);
  await takeDrill(browser);
} finally {
  await browser.close();
  await up.stop();
  rmSync(folder, { recursive: true });
}
