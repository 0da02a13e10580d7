import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { renderHtml } from './html.ts';
import { runSummaryOf } from './run-summary.ts';
import { browserPath, findingsIn, launch, nameOf, openPage } from './testing/browser.ts';
import { sampleReport } from './testing/sample-report.ts';
import { trendOf } from './trend.ts';

describe.skipIf(browserPath === '')(nameOf('the report in a browser'), { timeout: 120_000 }, () => {
  let browser: Browser;
  const folder = mkdtempSync(join(tmpdir(), 'gatecheck-page-'));
  const file = join(folder, 'report.html');
  beforeAll(async () => {
    writeFileSync(file, renderHtml({ ...sampleReport(), trend: trendOf([runSummaryOf(sampleReport())]) }));
    browser = await launch();
  });
  afterAll(async () => {
    await browser?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it('filters failures and checks by cause, area and words with the keyboard', async () => {
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

  it('filters the rules by endpoint with links to failures, with the keyboard', async () => {
    const { page } = await openPage(browser, pathToFileURL(file).href);
    onTestFinished(() => page.context().close());
    await page.locator('select[name=place]').selectOption('core, stream, delta');
    const grids = page.locator('.rules-grid:visible');
    expect(await grids.count()).toBe(1);
    expect(await grids.locator('thead th:visible').allInnerTexts()).toEqual(['Rule', 'core, stream, delta']);
    const failed = grids.locator('td a:visible');
    expect(await failed.allInnerTexts()).toEqual(['✕ 2']);
    await failed.focus();
    await page.keyboard.press('Enter');
    await page.waitForURL(/#failure-sse\.unbuffered$/);
    await page.locator('select[name=place]').selectOption('');
    expect(await grids.first().locator('thead th:visible').count()).toBeGreaterThan(2);
  });

  it.each([
    ['light', 1400],
    ['dark', 400],
  ] as const)(
    'has no serious accessibility finding and no horizontal overflow, %s at %s px',
    async (colorScheme, width) => {
      const { page } = await openPage(browser, pathToFileURL(file).href, {
        ...{ colorScheme, viewport: { width, height: 900 } },
      });
      onTestFinished(() => page.context().close());
      await page.evaluate("for (const one of document.querySelectorAll('details')) one.open = true");
      expect(await findingsIn(page)).toEqual([]);
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
    },
  );
});
