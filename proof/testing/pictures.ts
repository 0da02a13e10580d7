// `npm run pictures`: takes the pictures of the documents from real runs. It needs Chromium (`.ci/chromium run npm run pictures`).
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { launch } from 'gatecheck-reports/testing/browser';
import { runCli } from '../../suites/cli/testing/run-cli.ts';
import { startProxy } from '../../suites/rewrite/proxy.ts';
import { startStack } from '../../suites/stack/stack.ts';
import { plantedDefects } from './ten-defects.ts';

const folder = mkdtempSync(join(tmpdir(), 'gatecheck-pictures-'));
const pictures = fileURLToPath(new URL('../../docs/pictures/', import.meta.url));
mkdirSync(pictures, { recursive: true });

const width = 880;
const defect = plantedDefects().find(({ id }) => id === 'auth.models-open');
if (defect === undefined) throw new Error('the planted defect is gone');
const stack = await startStack({ seed: 1, tenants: 8 });
const { mutation } = defect;
const proxy = await startProxy((path) => ({ origin: stack.baseUrl, path, mutation }));
const browser = await launch();
try {
  const { K1 } = stack.profile.keys;
  await runCli([
    'run',
    '--base-url',
    proxy.url,
    '--key',
    K1,
    '--seed',
    '7',
    '--only',
    'auth.header.missing',
    '--out',
    folder,
  ]);
  const page = await browser.newPage({ viewport: { width, height: 900 }, colorScheme: 'light' });
  await page.goto(pathToFileURL(join(folder, 'report.html')).href);
  await page.screenshot({ path: join(pictures, 'report.png'), clip: { x: 0, y: 0, width, height: 620 } });
  // It stays in view while the card is scrolled, and would cover it.
  await page.addStyleTag({ content: 'nav { display: none }' });
  const card = page.locator('#failures article').first();
  const box = await card.boundingBox();
  if (box === null) throw new Error('the report shows no failure');
  await page.screenshot({
    path: join(pictures, 'failure.png'),
    clip: { ...box, height: 820 },
    fullPage: true,
  });
} finally {
  await browser.close();
  await proxy.close();
  await stack.stop();
  rmSync(folder, { recursive: true });
}
