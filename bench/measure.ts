import { readdirSync, statSync } from 'node:fs';
import { join, sep } from 'node:path';
import { type LoadResult, load, percentile } from './load.ts';
import { residentBytes, usedMs } from './processes.ts';
import type { Target } from './targets.ts';
import { requestOf, type Workload } from './workloads.ts';

/** One measurement of one target. */
export interface Sample {
  readonly perSecond: number;
  readonly failures: number;
  readonly firstFailure: string | null;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly firstP50Ms: number;
  readonly firstP99Ms: number;
  /** Processor time per request: of the program, and of its database if that is a separate program. */
  readonly cpuMs: number;
  readonly storeCpuMs: number;
  readonly residentBytes: number;
  /** Growth of its table files per request, in bytes. */
  readonly diskBytes: number;
}

/** Warms a target up, then measures it. */
export async function measure(
  target: Target,
  workload: Workload,
  { seconds, warmUpSeconds }: { seconds: number; warmUpSeconds: number },
): Promise<Sample> {
  const options = {
    url: target.url,
    path: target.path,
    headers: target.headers,
    body: requestOf(workload, target.modelOf(workload)),
    connections: workload.connections,
    ending: workload.kind === 'plain' ? '}' : 'data: [DONE]',
  };
  await load({ ...options, seconds: warmUpSeconds });
  const storedBefore = storedBytes(target.storeDir);
  const before = timesOf(target);
  const result = await load({ ...options, seconds });
  const after = timesOf(target);
  return sampleOf(result, {
    cpuMs: (after.own - before.own) / result.requests,
    storeCpuMs: (after.store - before.store) / result.requests,
    residentBytes: residentBytes(target.pid),
    diskBytes: (storedBytes(target.storeDir) - storedBefore) / result.requests,
  });
}

function timesOf({ pid, storePid }: Target): { own: number; store: number } {
  return { own: usedMs(pid), store: storePid === null ? 0 : usedMs(storePid) };
}

function sampleOf(
  { requests, seconds, failures, firstFailure, wholeMs, firstMs }: LoadResult,
  costs: Pick<Sample, 'cpuMs' | 'storeCpuMs' | 'residentBytes' | 'diskBytes'>,
): Sample {
  return {
    perSecond: requests / seconds,
    failures,
    firstFailure,
    p50Ms: percentile(wholeMs, 0.5),
    p99Ms: percentile(wholeMs, 0.99),
    firstP50Ms: percentile(firstMs, 0.5),
    firstP99Ms: percentile(firstMs, 0.99),
    ...costs,
  };
}

/**
 * Bytes of the files below a directory, without the log of a database, which is written over again and again: 0 without a
 * directory, NaN where it cannot be read.
 */
function storedBytes(dir: string | null): number {
  if (dir === null) return 0;
  try {
    return readdirSync(dir, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && !entry.parentPath.split(sep).includes('pg_wal'))
      .reduce((sum, { parentPath, name }) => sum + sizeOf(join(parentPath, name)), 0);
  } catch {
    return Number.NaN;
  }
}

/** Files come and go while they are counted. */
function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}
