import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { stringify } from 'yaml';
import { completion, frames, type Reply, startFakeUpstream } from '../fake-upstream.ts';
import { type Running, runGateway } from '../gateway-process.ts';
import { askedEachMs, startBalancer } from './balancer.ts';
import { type Ended, startCallers } from './failover-callers.ts';
import { configOf } from './run-failover.ts';
import { wrongBooks } from './wrong-books.ts';

export interface RolloutOptions {
  /** The address of a database server. */
  readonly url: string;
  readonly processes: number;
  /** Concurrent callers; every third call of each is a long stream. */
  readonly callers: number;
  /** Pause between two restarts. */
  readonly calmMs: number;
}

export interface RolloutResult {
  readonly answered: number;
  /** Calls that were rejected in the proper form, or got no byte: both may be retried. */
  readonly retryable: Readonly<Record<string, number>>;
  /** For each process, the time from SIGTERM to its exit, in ms. */
  readonly leftAfterMs: readonly number[];
  readonly violations: readonly string[];
}

/** Longer than the balancer takes to notice that a process is leaving. */
const leaveMs = 5 * askedEachMs;
const pauseMs = 50;

/** A stream that continues while processes restart. */
const slowStream: Reply = async (response) => {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  for (const frame of frames(Array.from({ length: 20 }, (_, n) => `word ${n} `))) {
    response.write(frame);
    await wait(pauseMs);
  }
  response.end();
};

/** Restarts gateways behind a load balancer one after another, under load, and compares what callers saw with the books. */
export async function runRollout({
  url,
  processes,
  callers,
  calmMs,
}: RolloutOptions): Promise<RolloutResult> {
  const directory = mkdtempSync(join(tmpdir(), 'gateway-rollout-'));
  const upstream = await startFakeUpstream();
  upstream.fallback = (response, seen) =>
    (seen.body.stream === true ? slowStream : completion('Hello'))(response, seen);
  const keys = Array.from({ length: callers }, (_, n) => `sk-app-failover-caller-${n}`);
  const path = join(directory, 'gateway.yaml');
  writeFileSync(path, stringify(configOf(url, upstream, directory, keys, { leave_ms: leaveMs })));
  const balancer = await startBalancer();
  const gateways = new Set<Running>();
  const start = async (): Promise<void> => {
    const gateway = await runGateway(['--config', path]);
    gateways.add(gateway);
    balancer.backends.add(gateway.url);
  };
  try {
    for (let n = 0; n < processes; n += 1) await start();
    await wait(2 * askedEachMs);
    const load = startCallers([balancer.url], keys);
    const leftAfterMs: number[] = [];
    const exits: (number | null)[] = [];
    for (const old of [...gateways]) {
      await wait(calmMs);
      await start();
      await wait(2 * askedEachMs);
      const fromMs = Date.now();
      old.stop('SIGTERM');
      exits.push((await old.exit).code);
      leftAfterMs.push(Date.now() - fromMs);
      gateways.delete(old);
      balancer.backends.delete(old.url);
    }
    await wait(calmMs);
    await load.stop();
    const odd = exits.filter((code) => code !== 0).map((code) => `a process ended with ${code}`);
    return { ...count(load.ended), leftAfterMs, violations: [...odd, ...(await faultsOf(url, load.ended))] };
  } finally {
    for (const gateway of gateways) gateway.stop('SIGKILL');
    await Promise.all([...gateways].map(({ exit }) => exit));
    await balancer.close();
    await upstream.close();
    rmSync(directory, { recursive: true });
  }
}

function count(ended: readonly Ended[]): Pick<RolloutResult, 'answered' | 'retryable'> {
  const again = ended.filter(({ end }) => end === 'refused' || end === 'unheard');
  const kinds = Map.groupBy(again, ({ end, code }) => code ?? end);
  return {
    answered: ended.filter(({ end }) => end === 'answered').length,
    retryable: Object.fromEntries([...kinds].map(([kind, all]) => [kind, all.length])),
  };
}

/** Every call that began is completed, and no unanswered call is charged. */
async function faultsOf(url: string, ended: readonly Ended[]): Promise<string[]> {
  const wrong = ended
    .filter(({ end }) => !['answered', 'refused', 'unheard'].includes(end))
    .map(({ end }) => end);
  return [...wrong, ...(await wrongBooks(url, ended, 'exactly'))];
}
