import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Profile } from '../profile/profile.ts';
import { startFrontProxy } from '../rewrite/front-proxy.ts';
import { type Preflight, preflight } from '../runner/preflight.ts';
import { type Stack, startStack } from '../stack/stack.ts';
import { createRedactor } from '../wire/redactor.ts';
import type { FuzzLimits } from './fuzz-options.ts';
import { findingIn, replayFinding } from './replay.ts';
import { type FuzzReport, failuresIn } from './report/fuzz-report.ts';
import { reportOf } from './report/report-of.ts';
import { runFuzz } from './run-fuzz.ts';
import { Spending } from './sending/spending.ts';
import { type BrokenGateway, brokenGateways } from './testing/broken-gateways.ts';
import { startRawFront } from './testing/raw-front.ts';

/** The fuzzer finds nothing in the reference gateway, and exactly the weakness of each gateway that has one. */

let stack: Stack;
let found: Preflight;
beforeAll(async () => {
  stack = await startStack({ seed: 1, tenants: 6 });
  found = await preflight(stack.profile);
}, 120_000);
afterAll(() => stack.stop());

const usual: FuzzLimits = {
  ...{ seed: 3, requests: 300, bodies: 0, only: [], stallMs: 250, memoryMb: null },
  parts: ['fields', 'raw', 'costs'],
};

async function fuzz(
  profile: Profile,
  limits: Partial<FuzzLimits>,
  { mayPay = true, signal = new AbortController().signal } = {},
): Promise<FuzzReport> {
  const all = { ...usual, ...limits };
  const spending = new Spending({ mayPay, before: 0, pricing: profile.pricing });
  const run = { profile, served: found, limits: all, spending, mayPay, signal, say: () => undefined };
  const outcome = await runFuzz(run);
  return reportOf({
    ...{ command: 'npx gatecheck fuzz', out: 'out', versions: {}, limits: all, profile, outcome, spending },
    ...{ startedAt: new Date(), why: spending.over, memory: null, interrupted: signal.aborted },
  });
}

const seen = (report: FuzzReport): string[] =>
  failuresIn(report).map(
    ({ endpoint, cause, where, actual }) => `${endpoint} | ${cause} | ${where.join('; ')} | ${actual}`,
  );

it('finds nothing in the reference gateway with 300 damaged requests and the whole raw corpus', {
  timeout: 240_000,
}, async () => {
  const report = await fuzz(found.profile, {});
  expect(seen(report)).toEqual([]);
  expect(report).toMatchObject({ exit_code: 0, sent: { requests: 300 }, interrupted: false });
  expect(report.sent.sequences).toBeGreaterThanOrEqual(80);
  expect(report.beside_requests?.median_ms).toBeGreaterThan(0);
  expect(report.coverage.covered).toBeGreaterThanOrEqual(290);
  expect(Object.keys(report.statuses).filter((status) => Number(status) >= 500)).toEqual([]);
});

describe('a gateway that', () => {
  it.each(brokenGateways.map((broken) => [broken.title, broken] as const))(
    '%s',
    { timeout: 300_000 },
    async (_, broken) => {
      const { profile, close } = await inFront(broken);
      try {
        const words = (broken.only ?? '').split(',').filter((word) => word !== '');
        const report = await fuzz(profile, {
          ...{ parts: [broken.part], only: words, requests: broken.requests ?? 120 },
          bodies: broken.part === 'costs' ? 7 : 0,
        });
        const failures = failuresIn(report);
        const named = failures.filter(
          ({ cause, where }) => broken.cause.test(cause) && where.some((place) => broken.where.test(place)),
        );
        expect(named, seen(report).join('\n')).not.toEqual([]);
        expect(report.exit_code).toBe(1);
      } finally {
        await close();
      }
    },
  );
});

async function inFront({ front }: BrokenGateway): Promise<{ profile: Profile; close: () => Promise<void> }> {
  if ('mutation' in front) {
    const proxy = await startFrontProxy(stack.baseUrl, new Map([['broken', front.mutation]]));
    return { profile: { ...found.profile, base_url: proxy.baseUrlOf('broken') }, close: proxy.close };
  }
  const server = await startRawFront(stack.baseUrl, front);
  return { profile: { ...found.profile, base_url: server.url }, close: server.close };
}

it('pays for nothing when it must not, and stays below the cap', { timeout: 240_000 }, async () => {
  const accepted: string[] = [];
  const server = await startRawFront(stack.baseUrl, {
    before: (request, body, response) => {
      const { writeHead } = response;
      response.writeHead = ((status: number, ...rest: never[]) => {
        if (status < 300 && request.method === 'POST')
          accepted.push(`${request.url} ${body.toString('latin1').slice(0, 400)}`);
        return writeHead.call(response, status, ...rest);
      }) as typeof writeHead;
      return false;
    },
  });
  try {
    // The profile has only a URL and keys, so tenants and upstreams are unknown.
    const { tenants: _, upstream: __, ...rest } = found.profile;
    const profile: Profile = { ...rest, tenants: [], base_url: server.url };
    const report = await fuzz(profile, { parts: ['fields'], requests: 250 }, { mayPay: false });
    expect(accepted).toEqual([]);
    expect(report.sent.paid).toBe(0);
    expect(report.sent.requests).toBe(250);
    expect([...server.most.values()].every((most) => most <= profile.cap.value - 1)).toBe(true);
  } finally {
    await server.close();
  }
});

it('shrinks a finding, and replays it from its report', { timeout: 120_000 }, async () => {
  const [deep] = brokenGateways;
  if (deep === undefined) throw new Error('there is no broken gateway');
  const { profile, close } = await inFront(deep);
  try {
    const report = await fuzz(profile, {
      parts: ['fields'],
      only: (deep.only ?? '').split(','),
      requests: 120,
    });
    const [finding] = failuresIn(report);
    expect(finding).toMatchObject({ repeated: true, shrunk: true });
    const { request } = finding ?? {};
    const body = request?.kind === 'request' ? Buffer.from(request.body, 'base64') : Buffer.alloc(0);
    expect(body.length).toBeLessThan(20_100);
    expect(JSON.stringify(report)).not.toContain(profile.keys.K1);
    const options = { signal: new AbortController().signal, redact: createRedactor(profile) };
    const again = findingIn(report, finding?.id ?? '');
    expect(await replayFinding(profile, again, options)).toMatchObject({ isSeenAgain: true });
    expect(await replayFinding(found.profile, again, options)).toMatchObject({ isSeenAgain: false });
  } finally {
    await close();
  }
});

it('reports what it found when it is interrupted', { timeout: 120_000 }, async () => {
  const user = new AbortController();
  let asked = 0;
  const server = await startRawFront(stack.baseUrl, {
    before: () => {
      asked += 1;
      if (asked === 40) user.abort();
      return false;
    },
  });
  try {
    const profile = { ...found.profile, base_url: server.url };
    const report = await fuzz(profile, { parts: ['fields'], requests: 100_000 }, { signal: user.signal });
    expect(report).toMatchObject({ exit_code: 130, interrupted: true });
    expect(report.sent.requests).toBeGreaterThan(0);
    expect(report.sent.requests).toBeLessThanOrEqual(40);
  } finally {
    await server.close();
  }
});
