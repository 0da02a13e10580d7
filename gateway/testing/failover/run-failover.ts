import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { stringify } from 'yaml';
import { completion, events, type FakeUpstream, frames, startFakeUpstream } from '../fake-upstream.ts';
import { type Running, runGateway } from '../gateway-process.ts';
import { testPrices } from '../stored-gateway.ts';
import { testConfig } from '../test-gateway.ts';
import { type Ended, startCallers } from './failover-callers.ts';
import type { OwnServer } from './own-server.ts';
import { wrongBooks } from './wrong-books.ts';

export type FaultName = keyof OwnServer['faults'];

/** The effect of one fault on callers. */
export interface FeltFault {
  readonly fault: FaultName;
  readonly answered: number;
  readonly refused: number;
  /** From the end of the fault to the first valid answer of the slowest gateway, in ms. */
  readonly backAfterMs: number;
  /** The longest of the calls that ended from its beginning until calm, in ms. */
  readonly longestMs: number;
}

export interface FailoverResult {
  readonly felt: readonly FeltFault[];
  /** The longest of all calls, in ms. */
  readonly longestMs: number;
  /** Violations, one sentence each. */
  readonly violations: readonly string[];
}

export interface FailoverOptions {
  readonly server: OwnServer;
  readonly faults: readonly FaultName[];
  readonly faultMs: number;
  readonly processes: number;
  readonly callers: number;
}

/** Pause between faults, longer than recovery usually takes, and the longest one on a busy machine. */
const calmMs = 4_000;
const longestCalmMs = 20_000;

/** How much longer a fault lasts where no call has met it yet: a process with holds in advance serves on for a while, ms. */
const unmetMs = 10_000;

/** Breaks the database of gateways under load in one way after another, and compares what callers saw with the books. */
export async function runFailover(options: FailoverOptions): Promise<FailoverResult> {
  const directory = mkdtempSync(join(tmpdir(), 'gateway-failover-'));
  const upstream = await startFakeUpstream();
  upstream.fallback = (response, seen) =>
    (seen.body.stream === true ? events(frames(['a', 'b'])) : completion('Hello'))(response, seen);
  const keys = Array.from({ length: options.callers }, (_, n) => `sk-app-failover-caller-${n}`);
  const gateways: Running[] = [];
  try {
    const path = join(directory, 'gateway.yaml');
    writeFileSync(path, stringify(configOf(options.server.url, upstream, directory, keys)));
    for (let n = 0; n < options.processes; n += 1) gateways.push(await runGateway(['--config', path]));
    const urls = gateways.map(({ url }) => url);
    const callers = startCallers(urls, keys);
    const felt: FeltFault[] = [];
    await wait(calmMs / 4);
    for (const fault of options.faults) felt.push(await feel(options, fault, urls, callers.ended));
    await callers.stop();
    const violations = [
      ...wrongEnds(callers.ended),
      ...(await wrongBooks(options.server.url, callers.ended)),
    ];
    for (const gateway of gateways) gateway.stop('SIGTERM');
    for (const { exit } of gateways)
      if ((await exit).code !== 0) violations.push(`a process ended with ${(await exit).code}`);
    return { felt, longestMs: Math.max(...callers.ended.map(({ tookMs }) => tookMs)), violations };
  } finally {
    for (const gateway of gateways) gateway.stop('SIGKILL');
    await upstream.close();
    rmSync(directory, { recursive: true });
  }
}

/** A gateway with one account, whose users make one call at a time. */
export function configOf(
  url: string,
  upstream: FakeUpstream,
  directory: string,
  keys: readonly string[],
  listen: object = {},
): object {
  const { chat_models, channels } = testConfig(upstream.url);
  const users = keys.map((_, n) => ({ id: `user-${n}`, cap: 1 }));
  return {
    listen,
    store: { url },
    key_pepper: 'a pepper for tests',
    media: { dir: join(directory, 'media') },
    ...{ chat_models, channels, prices: testPrices },
    accounts: [
      {
        id: 'acc',
        prepaid: true,
        grants: [{ id: 'all', amount: '1000' }],
        users,
        apps: [{ id: 'app' }],
        keys: keys.map((secret, n) => ({ id: `key-${n}`, user: `user-${n}`, app: 'app', secret })),
      },
    ],
  };
}

async function feel(
  { server, faultMs }: FailoverOptions,
  fault: FaultName,
  urls: readonly string[],
  ended: readonly Ended[],
): Promise<FeltFault> {
  const before = ended.length;
  const end = await server.faults[fault]();
  await wait(faultMs);
  const isMet = (): boolean => ended.slice(before).some((one) => one.end === 'refused');
  for (const until = Date.now() + unmetMs; fault !== 'connections cut' && !isMet() && Date.now() < until; )
    await wait(faultMs / 10);
  await end();
  const overMs = Date.now();
  const backOf = (url: string): number => {
    const first = ended.find((one) => one.gateway === url && one.end === 'answered' && one.atMs >= overMs);
    return first === undefined ? Number.POSITIVE_INFINITY : first.atMs + first.tookMs - overMs;
  };
  await wait(calmMs);
  while (!urls.every((url) => Number.isFinite(backOf(url))) && Date.now() < overMs + longestCalmMs)
    await wait(calmMs / 20);
  const during = ended.slice(before);
  const backs = urls.map(backOf);
  const count = (kind: string): number => during.filter((one) => one.end === kind).length;
  return {
    ...{ fault, answered: count('answered'), refused: count('refused'), backAfterMs: Math.max(...backs) },
    longestMs: Math.max(...during.map(({ tookMs }) => tookMs)),
  };
}

function wrongEnds(ended: readonly Ended[]): string[] {
  const wrong = ended.filter(({ end }) => end !== 'answered' && end !== 'refused');
  const codes = new Set(ended.flatMap(({ code }) => (code === null ? [] : [code])));
  // A user whose call ended in the outage may be at the cap until the slot is released.
  const odd = [...codes].filter((code) => !['internal_error', 'concurrency_exceeded'].includes(code));
  return [...wrong.map(({ end }) => end), ...odd.map((code) => `refused with ${code}`)];
}
