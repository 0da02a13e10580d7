import type { Check } from '../../../suites/engine/check.ts';
import type { JobResult, JobTarget } from '../../../suites/runner/run-input.ts';
import type { Bench } from '../bench/bench.ts';
import { type Look, SubjectProgress } from '../subject-progress.ts';

export interface AloneOptions {
  readonly target: JobTarget;
  readonly reference: JobTarget;
  /** In the order in which they run. */
  readonly checks: readonly Check[];
  readonly bench: Bench;
  readonly limitMs: number;
  readonly now: () => number;
}

/** Number of checks that run on one gateway at a time; other gateways are judged in parallel. */
const atOnce = 2;

/** How long a running check may continue after the time limit, in ms. */
const graceMs = 5_000;

/**
 * Runs the checks on a gateway until one fails or the time is over. A failure counts if it recurs while the reference passes.
 * Otherwise the gateway continues with the remaining checks.
 */
export async function lookAlone(options: AloneOptions): Promise<Look> {
  const { target, reference, bench, now } = options;
  const subject = new SubjectProgress({ id: target.id, checks: options.checks });
  const deadline = now() + options.limitMs;
  const isOver = (): boolean => bench.signal.aborted || now() >= deadline;
  while (subject.isOpen() && !isOver()) {
    await untilSuspect(subject, options, isOver, deadline + graceMs - now());
    const { suspect } = subject;
    if (suspect === null) break;
    const again = await Promise.all([target, reference].map((one) => bench.judge(one, suspect.id)));
    if (!again.every((result): result is JobResult => result !== null)) break;
    subject.settle(again, reference.id);
  }
  return subject.look();
}

async function untilSuspect(
  subject: SubjectProgress,
  { target, bench }: AloneOptions,
  isOver: () => boolean,
  patienceMs: number,
): Promise<void> {
  const queue = [...subject.left];
  const suspected = Promise.withResolvers<void>();
  const work = async (): Promise<void> => {
    while (subject.suspect === null && !isOver()) {
      const check = queue.shift();
      if (check === undefined) return;
      const result = await bench.judge(target, check.id);
      if (result === null) return;
      subject.note(result);
    }
    if (subject.suspect !== null) suspected.resolve();
  };
  const patience = AbortSignal.timeout(Math.max(0, Math.ceil(patienceMs)));
  patience.addEventListener('abort', () => suspected.resolve());
  await Promise.race([Promise.all(Array.from({ length: atOnce }, work)), suspected.promise]);
}
