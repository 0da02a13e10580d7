import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { isMainThread } from 'node:worker_threads';

// Imported by a gateway process ahead of everything else. Reports to the parent what the process holds after a garbage
// collection.

export interface Told {
  readonly heapBytes: number;
  readonly rssBytes: number;
  /** Resources that keep the event loop alive, as counts by kind. */
  readonly handles: Readonly<Record<string, number>>;
  /** The event loop's delay since the previous report. */
  readonly delayP99Ms: number;
  readonly delayMaxMs: number;
}

const resolutionMs = 10;

if (isMainThread && process.send !== undefined) {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const delay = monitorEventLoopDelay({ resolution: resolutionMs });
  delay.enable();
  // The measured delay includes the interval of the monitor itself.
  const lateness = (ns: number): number => Math.max(0, ns / 1e6 - resolutionMs);
  process.on('message', () => {
    const [delayP99Ms, delayMaxMs] = [lateness(delay.percentile(99)), lateness(delay.max)];
    // The second collection frees what the first one finalized.
    collect();
    collect();
    const { heapUsed, rss } = process.memoryUsage();
    const handles: Record<string, number> = {};
    for (const kind of process.getActiveResourcesInfo()) handles[kind] = (handles[kind] ?? 0) + 1;
    process.send?.({ heapBytes: heapUsed, rssBytes: rss, handles, delayP99Ms, delayMaxMs } satisfies Told);
    delay.reset();
  });
  process.channel?.unref();
}
