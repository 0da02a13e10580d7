import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { isMainThread } from 'node:worker_threads';

// Imported by a gateway process ahead of everything else: tells its parent what the process holds after a collection.

export interface Told {
  readonly heapBytes: number;
  readonly rssBytes: number;
  /** What keeps the event loop: how many of each kind. */
  readonly handles: Readonly<Record<string, number>>;
  /** The event loop's delay since the last question. */
  readonly delayP99Ms: number;
  readonly delayMaxMs: number;
}

const resolutionMs = 10;

if (isMainThread && process.send !== undefined) {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const delay = monitorEventLoopDelay({ resolution: resolutionMs });
  delay.enable();
  // The timer of the monitor is a part of what it measures.
  const lateness = (ns: number): number => Math.max(0, ns / 1e6 - resolutionMs);
  process.on('message', () => {
    const [delayP99Ms, delayMaxMs] = [lateness(delay.percentile(99)), lateness(delay.max)];
    // What the first one finalises, the second one frees.
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
