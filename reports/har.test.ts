import { HarValidator } from '@har-sdk/validator';
import { expect, it } from 'vitest';
import { renderHar } from './har.ts';
import { hostileReport, hostileTexts } from './testing/hostile-report.ts';
import { conformingReport, emptyReport, sampleReport } from './testing/sample-report.ts';

/** The findings of a third-party validator. */
async function faultsIn(text: string): Promise<unknown[]> {
  return new HarValidator().verify(JSON.parse(text));
}

it('is an archive that a third-party validator accepts', async () => {
  expect(await faultsIn(renderHar(sampleReport()))).toEqual([]);
});

it.each([
  ['without failures', conformingReport()],
  ['without checks', emptyReport()],
])('has no entries for a run %s', (_, report) => {
  expect(JSON.parse(renderHar(report)).log.entries).toEqual([]);
});

it.each(hostileTexts)('accepts any text: %s', (_, text) => {
  expect(JSON.parse(renderHar(hostileReport(text))).log.entries.length).toBeGreaterThan(0);
});

it('has each exchange of a failure once, with its times, and the check as its page', () => {
  const report = sampleReport();
  const { log } = JSON.parse(renderHar(report));
  const check = report.checks.find(({ id }) => id === 'sse.unbuffered');
  const [entry, ...others] = log.entries.filter(
    ({ pageref }: { pageref: string }) => pageref === 'sse.unbuffered',
  );
  expect(others).toEqual([]);
  expect(entry).toMatchObject({
    time: 2_051,
    timings: { send: 0, wait: 2_043, receive: 8 },
    comment: 'stream: shows SSE-004 first-delta-before-last',
    request: { method: 'POST', url: check?.failure?.exchange?.request.url },
    response: { status: 200, content: { mimeType: 'text/event-stream' } },
  });
  const [twin, fault] = log.entries.filter(
    ({ pageref }: { pageref: string }) => pageref === 'err.param-names-field',
  );
  expect([twin.comment, fault.comment]).toEqual([
    'positive twin: twin of ERR-024 param-names-field',
    'one fault: shows ERR-024 param-names-field',
  ]);
});

it('counts the times of exchanges from the start of their check', () => {
  const report = sampleReport();
  const check = report.checks.find(({ id }) => id === 'sse.unbuffered');
  if (check?.failure?.exchange == null) return expect.fail('the sample has no such failure');
  check.began_at = '2026-11-21T14:53:05.000Z';
  check.failure.exchange.at_ms = 1_250;
  const { log } = JSON.parse(renderHar(report));
  const entry = log.entries.find(({ pageref }: { pageref: string }) => pageref === 'sse.unbuffered');
  expect(entry.startedDateTime).toBe('2026-11-21T14:53:06.250Z');
});
