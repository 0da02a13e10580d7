import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { ConsoleRow } from '../control/console-shapes.ts';
import { postChat } from '../testing/post-chat.ts';
import { postJob } from '../testing/post-media.ts';
import { useSimulators } from '../testing/simulators.ts';
import { browserPath, findingsIn, launch, nameOf, openPage, type WatchedPage } from './testing/browser.ts';

const token = 'a-token-of-the-console';

describe.skipIf(browserPath === '')(nameOf('the console in a browser'), { timeout: 180_000 }, () => {
  const simulators = useSimulators({ testClock: true, consoleToken: token });
  let browser: Browser;
  beforeAll(async () => {
    browser = await launch();
  });
  afterAll(() => browser?.close());

  const open = async (options: Parameters<typeof openPage>[2] = {}): Promise<WatchedPage> => {
    await simulators.control.tenant('default').reset();
    const watched = await openPage(browser, `${simulators.controlUrl}/console/#token=${token}`, options);
    onTestFinished(() => watched.page.context().close());
    await watched.page.getByText('live', { exact: true }).waitFor();
    return watched;
  };
  const ask = (content: string, more: object = {}) =>
    postChat(simulators.base('default'), { messages: [{ role: 'user', content }], ...more });

  it('says what to call, decodes answers, shows errors within a 200, and holds a call until it is cut or answered by hand', async () => {
    const { page, complaints } = await open();
    await page.getByText(`curl ${new URL(simulators.base('x')).origin}`).waitFor();
    const tenant = simulators.control.tenant('default');
    await tenant.script({ replies: [{ text: 'Ebb', fault: { id: 'P1' } }, { fault: { id: 'S8' } }] });
    await ask('Compressed?', { stream: true });
    await page.getByRole('row', { name: /P1/ }).click();
    await page.getByRole('button', { name: 'Answer', exact: true }).click();
    expect(await page.getByLabel('Bytes of the answer as text').innerText()).toContain('"content":"Ebb"');
    await ask('Failing?', { stream: true });
    expect(await page.getByRole('row', { name: /S8/ }).innerText()).toMatch(/200\s+error/);
    await page.getByRole('tab', { name: /Faults/ }).click();
    await page.getByRole('button', { name: 'Hold the next call' }).click();
    await page.getByText('held', { exact: true }).first().waitFor();
    const held = ask('Held?', { stream: true }).catch((error: Error) => error);
    await page.getByRole('row', { name: /waits/ }).click();
    await page.getByRole('button', { name: 'Overview', exact: true }).click();
    await page.getByRole('button', { name: 'Cut', exact: true }).click();
    expect(await held).toBeInstanceOf(Error);
    await page.getByRole('row', { name: /waits/ }).waitFor({ state: 'detached' });
    await tenant.script({ replies: [{ text: 'Ebb', gates: ['head'] }] });
    const edited = ask('Edited?');
    await page.getByRole('row', { name: /waits/ }).click();
    await page.getByRole('button', { name: 'Overview', exact: true }).click();
    await page.getByLabel('Your answer').fill('{ "status": 429, "headers": { "retry-after": "7" } }');
    await page.getByRole('button', { name: 'Release with this answer' }).click();
    expect([(await edited).status, (await edited).headers['retry-after']]).toEqual([429, '7']);
    expect(complaints).toEqual([]);
  });

  it('sets a fault by click, shows the affected call, and opens its bytes', async () => {
    const { page, complaints, asked } = await open();
    expect(page.url()).not.toContain(token);
    await page.getByLabel('Search faults').fill('rate-limit-requests');
    await page.getByRole('button', { name: /^H1 / }).click();
    await page.getByText('429 for too many requests').first().waitFor();
    await page.getByLabel('Seconds to live').fill('600');
    await page.getByRole('button', { name: 'Set H1' }).click();
    await page.getByText('to live', { exact: false }).first().waitFor();
    await ask('What becomes of me?');
    const row = page.getByRole('row', { name: /H1/ });
    await row.waitFor();
    expect(await row.innerText()).toMatch(/429/);
    await row.click();
    await page.getByText('H1 rate-limit-requests').waitFor();
    await page.getByRole('button', { name: 'Sent', exact: true }).click();
    expect(await page.getByLabel('Body as text').innerText()).toContain('What becomes of me?');
    await page.getByRole('button', { name: 'Answer', exact: true }).click();
    expect(await page.getByLabel('Headers of the answer').innerText()).toContain('retry-after: ');
    await page.getByText('Hex', { exact: true }).click();
    expect(await page.getByLabel('Bytes of the answer as hex').innerText()).toMatch(/^00000000 {2}7b/);
    await page.getByRole('button', { name: 'Copy as', exact: true }).click();
    expect(await page.getByLabel('Script', { exact: true }).innerText()).toContain('"fault":{"id":"H1"');
    await page.getByRole('tab', { name: /Faults/ }).click();
    await page.getByRole('button', { name: 'Remove H1' }).click();
    await page.getByText('No fault is set').waitFor();
    expect(await simulators.control.tenant('default').faults()).toEqual([]);
    await page.getByLabel('Play a variant').selectOption('groq');
    await page.getByRole('button', { name: 'Remove groq' }).waitFor();
    await ask('And now?', { stream: true, stream_options: { include_usage: true } });
    await page.getByRole('row', { name: /200/ }).click();
    await page.getByRole('button', { name: 'Overview', exact: true }).click();
    await page.getByText('groq', { exact: true }).waitFor();
    expect(complaints).toEqual([]);
    expect(asked.filter((url) => !url.startsWith(`${simulators.controlUrl}/`))).toEqual([]);
  });

  it('shows the events of a stream with their times, and the attempts of a call', async () => {
    const { page } = await open();
    const script = { replies: [{ deltas: ['One ', 'two.'], pacing: { each_ms: 40 } }] };
    await simulators.control.tenant('default').script(script);
    await ask('Count', { stream: true });
    await postChat(simulators.base('default', 'beta'), { messages: [{ role: 'user', content: 'Count' }] });
    await page.getByText('try 2').waitFor();
    await page.getByRole('row', { name: /alpha/ }).click();
    await page.getByRole('button', { name: 'Frames', exact: true }).click();
    const frames = page.getByRole('row', { name: /two\./ });
    expect(await frames.innerText()).toMatch(/\d+ ms/);
  });

  it('names a set reply by what it does', async () => {
    const { page } = await open();
    await simulators.control.tenant('default').addFault({ reply: { status: 418 } });
    await ask('Count');
    await page.locator('.c-fault').getByText('status 418').waitFor();
  });

  it('moves the clock, and ends a job by hand', async () => {
    const { page, complaints } = await open();
    const before = (await simulators.control.clock()).now_ms;
    await page.getByRole('button', { name: 'Move the clock by 1 h' }).click();
    await page.getByText('The clock was moved by 1 h').first().waitFor();
    expect((await simulators.control.clock()).now_ms - before).toBeGreaterThanOrEqual(3_600_000);
    await page.getByRole('tab', { name: /Jobs/ }).click();
    await page.getByRole('button', { name: 'Hold new jobs in their queue' }).click();
    await page.getByText('Every new job stays queued').first().waitFor();
    await postJob(simulators.base('default', 'video'), {
      model: 'vidB2-native',
      input: { prompt_text: 'The sea' },
    });
    await page.getByRole('button', { name: /^Fail / }).click();
    await page
      .getByText(/: failed$/)
      .first()
      .waitFor();
    expect(await simulators.control.tenant('default').jobs()).toMatchObject([{ status: 'failed' }]);
    expect(complaints).toEqual([]);
  });

  it('starts a scenario and draws its position; shows a rejection as text', async () => {
    const { page } = await open();
    await page.getByRole('tab', { name: 'Scenario' }).click();
    await page.getByRole('button', { name: 'Start b1-brownout' }).click();
    await page
      .getByRole('img', { name: /worsening from 0 ms to 1 min 0 s/ })
      .first()
      .waitFor();
    await page.getByRole('button', { name: 'Next phase' }).click();
    await page.getByText('Every channel is in its next phase').first().waitFor();
    await page.getByRole('tab', { name: /Faults/ }).click();
    await page.getByLabel('Search faults').fill('H1');
    await page.getByRole('button', { name: /^H1 / }).click();
    await page.getByLabel('Share, %').fill('300');
    await page.getByRole('button', { name: 'Set H1', exact: true }).click();
    await page.locator('.message.is-error', { hasText: 'Share, %: give a number from 0 to 100' }).waitFor();
  });

  it('works with the keyboard alone', async () => {
    const { page } = await open();
    for (const text of ['one', 'two', 'three']) await ask(text);
    await page.getByText('3 requests').waitFor();
    await page.getByRole('grid').focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await page.locator('.row[aria-rowindex="3"][aria-selected=true]').waitFor();
    await page.keyboard.press('End');
    await page.locator('.row[aria-rowindex="4"][aria-selected=true]').waitFor();
    await page.keyboard.press('Enter');
    await page.locator('#tab-detail:focus').waitFor();
    await page.keyboard.press('ArrowRight');
    await page.locator('#tab-faults:focus').waitFor();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Escape');
    await page.locator('#list:focus').waitFor();
  });

  it.each([
    { colorScheme: 'light', viewport: { width: 1400, height: 900 } },
    { colorScheme: 'dark', viewport: { width: 1400, height: 900 } },
    { colorScheme: 'light', viewport: { width: 400, height: 800 } },
    { colorScheme: 'dark', viewport: { width: 400, height: 800 } },
  ] as const)('has no serious axe-core findings: %j', async (options) => {
    const { page, complaints } = await open(options);
    await simulators.control.tenant('default').addFault({ fault: { id: 'H1' }, when: { channel: 'beta' } });
    await simulators.control.tenant('default').play({ file: 'b1-brownout' });
    await ask('one', { stream: true });
    await postChat(simulators.base('default', 'beta'), { messages: [{ role: 'user', content: 'one' }] });
    await postJob(simulators.base('default', 'video'), {
      model: 'vidB2-native',
      input: { prompt_text: 'The sea' },
    });
    if (options.viewport.width < 500) {
      await page.locator('#tab-requests[aria-selected=true]').waitFor();
      expect(await findingsIn(page)).toEqual([]);
    }
    await page.locator('.row.is-refused').click();
    await page.getByText('rate-limit-requests').waitFor();
    for (const tab of ['detail', 'faults', 'scenario', 'jobs', 'events']) {
      await page.locator(`#tab-${tab}`).click();
      expect(await findingsIn(page), tab).toEqual([]);
    }
    const width = await page.evaluate(() => document.documentElement.scrollWidth);
    expect(width).toBeLessThanOrEqual(options.viewport.width);
    expect(complaints).toEqual([]);
  });

  it('holds 100,000 rows, and renders only those in view', async () => {
    await simulators.control.tenant('default').reset();
    const context = await browser.newContext();
    onTestFinished(() => context.close());
    const page = await context.newPage();
    const batches = Array.from({ length: 200 }, (_, batch) =>
      Array.from({ length: 500 }, (_, at) => rowOf(batch * 500 + at + 1)),
    );
    const body = batches.map((rows) => `event: rows\ndata: ${JSON.stringify(rows)}\n\n`).join('');
    await page.route('**/console/api/feed', (route) =>
      route.fulfill({ contentType: 'text/event-stream', body }),
    );
    await page.goto(`${simulators.controlUrl}/console/#token=${token}`);
    await page.getByText('100000 requests').waitFor();
    const list = page.getByRole('grid');
    expect(await list.getAttribute('aria-rowcount')).toBe('100001');
    expect(await page.locator('.row').count()).toBeLessThan(80);
    await list.evaluate((element) => element.scrollTo(0, 50_000 * 30));
    await page.getByRole('row', { name: /^50001 / }).waitFor();
    expect(await page.locator('.row').count()).toBeLessThan(80);
    await page.getByLabel('Search', { exact: true }).fill('channel-7 503');
    await page.getByText(/^\d{3,4} requests$/).waitFor();
  });

  it('asks for its URL again if the token is wrong', async () => {
    const { page } = await openPage(browser, `${simulators.controlUrl}/console/#token=wrong`);
    onTestFinished(() => page.context().close());
    await page.getByText('This page needs its token').waitFor();
  });
});

function rowOf(n: number): ConsoleRow {
  return {
    ...{
      tenant: 'default',
      n,
      channel: `channel-${n % 9}`,
      method: 'POST',
      path: '/v1/messages',
      model: 'm',
    },
    ...{ agent: null, key: null, call: null, at_ms: n * 20, first_ms: n * 20 + 5, ended_ms: n * 20 + 40 },
    ...{
      ended: 'complete',
      says_error: false,
      waiting_at: null,
      status: n % 10 === 0 ? 503 : 200,
      fault: null,
      by: null,
    },
    ...{ request_bytes: 100, reply_bytes: 1000, sends: 3 },
  };
}
