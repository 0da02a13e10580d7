import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { stringify } from 'yaml';
import { adminClient } from '../admin-client.ts';
import { type AuditAccount, auditConfig } from '../crash/audit-config.ts';
import { startAuditUpstreams } from '../crash/audit-upstreams.ts';
import { Sightings } from '../crash/sightings.ts';
import { Random } from '../random.ts';
import type { StorePlace } from '../store/test-stores.ts';
import { startWebhookReceiver, status } from '../webhook-receiver.ts';
import { type AskedProcess, askProcess } from './asked-process.ts';
import { createFaults } from './faulty-upstream.ts';
import { openLoad, type Sent } from './open-load.ts';
import type { Told } from './tell-memory.ts';

export interface SoakOptions {
  readonly place: StorePlace;
  readonly forMs: number;
  /** Requests per second. */
  readonly rate: number;
  /** The fraction of requests with an upstream fault or a caller that disconnects. */
  readonly faults: number;
  readonly streams: number;
  readonly seed: number;
  readonly onSample: (sample: Sample) => void;
}

/** Measurements during a stretch of the load, and at its end. */
export interface Sample extends Told {
  readonly atMs: number;
  /** Milliseconds, of requests without a fault. */
  readonly latencies: readonly number[];
}

export interface SoakResult {
  readonly samples: readonly Sample[];
  /** Before and after the load. */
  readonly before: Told;
  readonly after: Told;
  /** Number of answers by kind of request and status. */
  readonly answers: ReadonlyMap<string, number>;
  /** Unexpected answers: there was nothing wrong with these requests. */
  readonly unexpected: readonly string[];
  /** Leftovers of the load: slots, and holds of accounts. */
  readonly left: { readonly slots: number; readonly held: string };
  readonly exitCode: number | null;
}

const account: AuditAccount = {
  ...{ id: 'soaked', user: 'soaker', key: 'sk-app-soaked-for-a-while', cap: 1_000, markup: 0 },
};
const streamMs = 10_000;
/** Fraction of faults that are disconnecting callers. */
const leavingPart = 0.2;
const longestSampleMs = 30_000;
const samplesAtLeast = 8;
/** Maximum time until idle connections close and timers end. */
const quietWithinMs = 30_000;

/** Loads a gateway for a while, and measures what it holds. */
export async function runSoak(options: SoakOptions): Promise<SoakResult> {
  const directory = mkdtempSync(join(tmpdir(), 'gateway-soak-'));
  const draws = new Random(options.seed);
  const random = (): number => draws.next();
  const faults = createFaults(options.faults * (1 - leavingPart), random, streamMs);
  const upstreams = await startAuditUpstreams(new Sightings(), faults.meddle);
  const receiver = await startWebhookReceiver();
  receiver.fallback = (response, event) => {
    receiver.events.length = 0;
    status(204)(response, event);
  };
  const config = join(directory, 'gateway.yaml');
  const parts = { place: options.place, directory, upstreams, receiver, accounts: [account] };
  // Long timeouts, so that a busy machine does not count as an upstream fault.
  const timeouts = { first_byte_timeout_ms: 5_000, idle_timeout_ms: 10_000 };
  writeFileSync(config, stringify({ ...auditConfig(1, parts), upstream: timeouts }));
  const gateway = await askProcess(config);
  const tally = createTally(faults.met);
  const over = new AbortController();
  try {
    const before = await gateway.tell();
    const load = openLoad(
      {
        ...{ url: gateway.url, account, rate: options.rate, streams: options.streams, random },
        leaving: options.faults * leavingPart,
        webhookUrl: receiver.url,
        onSent: tally.onSent,
      },
      over.signal,
    );
    const samples = await sample(options, gateway, () => {
      upstreams.forgetSeen();
      return tally.takeLatencies();
    });
    over.abort();
    await load;
    const left = await leftOf(gateway);
    const after = await quiet(gateway, before);
    const { code } = await gateway.stop();
    return {
      samples,
      before,
      after,
      answers: tally.answers,
      unexpected: tally.unexpected,
      left,
      exitCode: code,
    };
  } finally {
    over.abort();
    await gateway.stop();
    await Promise.all([upstreams.close(), receiver.close()]);
    rmSync(directory, { recursive: true, force: true });
  }
}

async function sample(
  { forMs, onSample }: SoakOptions,
  gateway: AskedProcess,
  takeLatencies: () => number[],
): Promise<Sample[]> {
  const samples: Sample[] = [];
  const startedAt = performance.now();
  const everyMs = Math.min(longestSampleMs, forMs / samplesAtLeast);
  for (let n = 1; n * everyMs <= forMs + 1; n += 1) {
    await wait(Math.max(0, startedAt + n * everyMs - performance.now()));
    const latencies = takeLatencies();
    const one = { ...(await gateway.tell()), atMs: performance.now() - startedAt, latencies };
    samples.push(one);
    onSample(one);
  }
  return samples;
}

/**
 * What still keeps the event loop after idle connections have timed out. Returns early if it equals the state before the
 * load.
 */
async function quiet(gateway: AskedProcess, before: Told): Promise<Told> {
  const until = performance.now() + quietWithinMs;
  for (;;) {
    const told = await gateway.tell();
    if (handlesOf(told) <= handlesOf(before) || performance.now() > until) return told;
    await wait(1_000);
  }
}

export function handlesOf({ handles }: Told): number {
  return Object.values(handles).reduce((sum, count) => sum + count, 0);
}

async function leftOf({ url }: AskedProcess): Promise<SoakResult['left']> {
  const ask = adminClient(url);
  const until = performance.now() + quietWithinMs;
  for (;;) {
    const slots = (await ask('GET', '/slots')).json.data.length;
    const { held } = (await ask('GET', `/accounts/${account.id}/balance`)).json;
    // Tasks hold their maximum cost until they end.
    if ((slots === 0 && held === '0') || performance.now() > until) return { slots, held };
    await wait(200);
  }
}

interface Tally {
  readonly onSent: (sent: Sent) => void;
  readonly answers: Map<string, number>;
  readonly unexpected: string[];
  takeLatencies(): number[];
}

function createTally(met: ReadonlySet<number>): Tally {
  const answers = new Map<string, number>();
  const unexpected: string[] = [];
  const latencies: number[] = [];
  return {
    answers,
    unexpected,
    takeLatencies: () => latencies.splice(0),
    onSent: ({ n, tookMs, status: code, isWhole, said, way }) => {
      const name = code === 200 && !isWhole ? '200, cut short' : String(code);
      answers.set(name, (answers.get(name) ?? 0) + 1);
      if (met.has(n) || code === 'left' || way === 'streamer') return;
      latencies.push(tookMs);
      if (!isWhole) unexpected.push(`number ${n} (${way}): ${name} ${said}`);
    },
  };
}
