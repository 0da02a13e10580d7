import { mkdtempSync, rmSync } from 'node:fs';
import type { RequestListener, ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { Report } from 'gatecheck-reports/report';
import { afterAll, describe, expect, it } from 'vitest';
import { exitCodes } from '../process/exit-codes.ts';
import { listenOnLoopback } from '../process/loopback.ts';
import { type CliOutcome, readReport, runCli } from './testing/run-cli.ts';
import { createSmallGateway, smallGatewayKey } from './testing/small-gateway.ts';

/** A deployment that disappears during a run: for good, for seconds, behind a proxy that answers, or at one endpoint only. */

const folder = mkdtempSync(join(tmpdir(), 'gatecheck-gone-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Checks that the small gateway passes, with hundreds of requests. */
const only = [
  ...['auth.header.missing', 'auth.key.unknown', 'ep.paths.unknown'],
  ...['chat.field.temperature', 'chat.field.metadata', 'sse.stream-flag'],
].join(',');
const outOf = 6;
/** Number of requests before the failure: after the first probes, in the middle of the checks. */
const soon = 60;

interface Front {
  readonly url: string;
  /** Comes true as soon as so many requests have come. */
  readonly counted: (requests: number) => Promise<void>;
  leave(): void;
  come(): Promise<void>;
}

/** A small gateway at an address where it can disappear. `instead` may answer in its place. */
async function startFront(
  instead: (request: Parameters<RequestListener>[0], response: ServerResponse, count: number) => boolean,
): Promise<Front> {
  const server = createSmallGateway([]);
  const [own] = server.listeners('request') as RequestListener[];
  server.removeAllListeners('request');
  let count = 0;
  server.on('request', (request, response) => {
    count += 1;
    if (!instead(request, response, count)) own?.(request, response);
  });
  const port = await listenOnLoopback(server);
  const leave = (): void => {
    server.close();
    server.closeAllConnections();
  };
  afterAll(leave);
  return {
    url: `http://127.0.0.1:${port}`,
    counted: async (requests) => {
      while (count < requests) await wait(5);
    },
    leave,
    come: () => new Promise((resolve) => server.listen(port, '127.0.0.1', resolve)),
  };
}

async function judge(
  { url }: Front,
  name: string,
  meanwhile: () => Promise<void> = async () => undefined,
): Promise<CliOutcome & { readonly report: Report }> {
  const out = join(folder, name);
  const args = ['run', '--base-url', url, '--only', only, '--seed', '1', '--out', out];
  const [outcome] = await Promise.all([runCli(args, { GATECHECK_KEY: smallGatewayKey }), meanwhile()]);
  return { ...outcome, report: readReport(out) };
}

/** Expects that some checks did not run, none failed, and the report says why. */
function expectGone({ code, stdout, report }: Awaited<ReturnType<typeof judge>>, why: RegExp): void {
  expect(code, stdout).toBe(exitCodes.unreachable);
  expect(report.is_gone).toBe(true);
  expect(report.stopped).toMatch(why);
  expect(report.headline).toMatch(/^No verdict after \d checks?: the deployment answers no more: /);
  const { summary } = report;
  expect([summary.failed, summary.flaky, summary.errors]).toEqual([0, 0, 0]);
  const unrun = report.checks.filter(({ not_run }) => not_run !== undefined);
  expect(unrun.length).toBeGreaterThan(0);
  for (const { verdict, not_run } of unrun)
    expect([verdict, not_run]).toEqual(['untestable', report.stopped]);
}

const withinMs = 120_000;

describe.concurrent('a deployment that disappears during a run', () => {
  it('for good: one sentence, and unfinished checks count as not run', { timeout: withinMs }, async () => {
    const front = await startFront(() => false);
    const done = await judge(front, 'for-good', async () => {
      await front.counted(soon);
      front.leave();
    });
    expectGone(
      done,
      /^the deployment answers no more: no answer \(ECONNREFUSED.*\), for 30 s; what ran then: \w+\./,
    );
  });

  it('behind a proxy that answers with a 503 page counts as gone', { timeout: withinMs }, async () => {
    const front = await startFront((request, response, count) => {
      if (count <= soon) return false;
      request.resume();
      response.writeHead(503, { 'content-type': 'text/html' }).end('<html><h1>503 Service Unavailable</h1>');
      return true;
    });
    expectGone(await judge(front, 'page'), /^the deployment answers no more: HTTP 503, for 30 s; /);
  });

  it('for seconds: the run waits, and judges as if nothing had happened', { timeout: withinMs }, async () => {
    const front = await startFront(() => false);
    const { code, stdout, report } = await judge(front, 'for-seconds', async () => {
      await front.counted(soon);
      front.leave();
      await wait(3_000);
      await front.come();
    });
    expect(code, stdout).toBe(exitCodes.conforming);
    expect(report.summary).toMatchObject({ passed: outOf, failed: 0, flaky: 0, untestable: 0 });
    expect(report.notices).toEqual([
      expect.stringMatching(/^the deployment was away 1 time, and came back; what ran then began again: /),
    ]);
  });

  it('at one endpoint only fails the checks of that endpoint', { timeout: withinMs }, async () => {
    const front = await startFront((request, response) => {
      if (/\/(?:models|completions)$/.test(request.url ?? '')) return false;
      response.destroy();
      return true;
    });
    const { code, stdout, report } = await judge(front, 'in-one-place');
    expect(code, stdout).toBe(exitCodes.failures);
    expect([report.stopped, report.is_gone]).toEqual([null, undefined]);
    const failed = report.checks.filter(({ verdict }) => verdict === 'fail').map(({ id }) => id);
    expect(failed).toEqual(['ep.paths.unknown']);
    expect(report.summary.passed).toBe(outOf - 1);
  });

  it('always at the same request fails the check of that request, however soon it is back', {
    timeout: withinMs,
  }, async () => {
    const front = await startFront((request) => {
      if (/\/(?:models|completions)$/.test(request.url ?? '')) return false;
      front.leave();
      void wait(500).then(() => front.come());
      return true;
    });
    const { code, stdout, report } = await judge(front, 'at-one-request');
    expect(code, stdout).toBe(exitCodes.failures);
    const failed = report.checks.filter(({ verdict }) => verdict === 'fail').map(({ id }) => id);
    expect(failed).toEqual(['ep.paths.unknown']);
    expect([report.summary.passed, report.is_gone]).toEqual([outOf - 1, undefined]);
  });
});
