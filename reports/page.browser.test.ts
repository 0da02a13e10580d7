import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { renderHtml } from './html.ts';
import { sampleReport } from './sample-report.ts';
import { browserPath, findingsIn, launch, nameOf, openPage } from './testing/browser.ts';

describe.skipIf(browserPath === '')(nameOf('the report in a browser'), { timeout: 120_000 }, () => {
  let browser: Browser;
  const folder = mkdtempSync(join(tmpdir(), 'gatecheck-page-'));
  const file = join(folder, 'report.html');
  beforeAll(async () => {
    writeFileSync(file, renderHtml(sampleReport()));
    browser = await launch();
  });
  afterAll(async () => {
    await browser?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it('filters failures and checks by cause, area and words, from the keyboard', async () => {
    const { page, complaints, asked } = await openPage(browser, pathToFileURL(file).href);
    onTestFinished(() => page.context().close());
    const cards = page.locator('article.failure:visible');
    expect(await cards.count()).toBe(4);
    await page.getByLabel('Cause').selectOption('SSE-004 first-delta-before-last');
    expect(await cards.count()).toBe(1);
    expect(await page.getByRole('status').innerText()).toMatch(/^1 of 4 causes, 1 of \d+ checks$/);
    expect(await page.getByText('here the rule broke').isVisible()).toBe(true);
    await page.getByLabel('Cause').selectOption('');
    await page.getByLabel('Area').selectOption('LIM');
    expect(await cards.count()).toBe(1);
    await page.getByLabel('Area').selectOption('');
    await page.getByLabel('Text in a check').focus();
    await page.keyboard.type('no such words');
    expect(await cards.count()).toBe(0);
    expect([complaints, asked]).toEqual([[], [pathToFileURL(file).href]]);
  });

  it.each([
    ['light', 1400],
    ['dark', 400],
  ] as const)(
    'has no serious finding and nothing beyond its edge, %s at %s px',
    async (colorScheme, width) => {
      const { page } = await openPage(browser, pathToFileURL(file).href, {
        ...{ colorScheme, viewport: { width, height: 900 } },
      });
      onTestFinished(() => page.context().close());
      expect(await findingsIn(page)).toEqual([]);
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
    },
  );
});
