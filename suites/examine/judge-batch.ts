import { roundRobin } from '../round-robin.ts';
import type { Job, JobResult, JobTarget } from '../runner/run-input.ts';
import { Docket, type Look, type Subject } from './docket.ts';
import { runJobs } from './run-jobs.ts';

interface BatchOptions {
  readonly seed: number;
  readonly limitMs: number;
  readonly signal: AbortSignal;
  readonly onJob: (result: JobResult) => void;
}

/** Checks that run side by side, at first and at a second look. */
const concurrency = { first: 8, again: 2 };

/**
 * Lets the checks look at each gateway until one fails. A failure counts when it comes a second time and the reference
 * passes beside it; otherwise the gateway goes on with the checks that are left.
 */
export async function judgeBatch(
  subjects: readonly Subject[],
  { targets, reference }: { targets: readonly JobTarget[]; reference: JobTarget },
  options: BatchOptions,
): Promise<Map<string, Look>> {
  const dockets = new Map(subjects.map((subject) => [subject.id, new Docket(subject)]));
  const deadline = performance.now() + options.limitMs;
  for (;;) {
    const open = [...dockets.values()].filter((docket) => docket.isOpen());
    const leftMs = deadline - performance.now();
    if (open.length === 0 || leftMs <= 0 || options.signal.aborted) break;
    const input = { targets, seed: options.seed };
    const first = await runJobs(
      { ...input, jobs: inTurns(open), untilFailureMs: leftMs },
      { ...options, concurrency: concurrency.first },
    );
    for (const result of first) dockets.get(result.target)?.note(result);
    const suspects = open.filter(({ suspect }) => suspect !== null);
    if (suspects.length === 0) break;
    const accused = [...new Set(suspects.map(({ suspect }) => suspect?.id ?? ''))];
    const jobs: Job[] = [
      ...suspects.map(({ id, suspect }) => ({ target: id, check: suspect?.id ?? '' })),
      ...accused.map((check) => ({ target: reference.id, check })),
    ];
    const again = await runJobs(
      { ...input, targets: [...targets, reference], jobs },
      { ...options, concurrency: concurrency.again },
    );
    if (options.signal.aborted) break;
    for (const docket of suspects) docket.settle(again, reference.id);
  }
  return new Map([...dockets].map(([id, docket]) => [id, docket.look()]));
}

/** Neighbours have different targets, so that all gateways are judged at the same speed. */
function inTurns(dockets: readonly Docket[]): Job[] {
  return roundRobin(dockets.map(({ id, left }) => left.map((check) => ({ target: id, check: check.id }))));
}
