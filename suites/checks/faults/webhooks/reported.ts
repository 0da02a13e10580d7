import { setTimeout as wait } from 'node:timers/promises';
import type { JobState } from 'gatecheck-simulators/client';
import type { Cases } from '../../../engine/parts/cases.ts';
import type { CheckParts } from '../../../engine/parts/check-parts.ts';
import { taskVerdictOf } from '../../../oracle/faults/job-fault-facts.ts';
import type { ReportFaultFacts } from '../../../oracle/faults/webhook-fault-facts.ts';
import { judgeReports } from '../../../oracle/faults/webhook-fault-verdict.ts';
import { restLateMs } from '../../../steps/failures/pass-timeouts.ts';
import type { Followed } from '../jobs/follow-job.ts';

/** A little more than the age at which a report is a replay, ms. */
const replayMs = 303_000;

/** The time limit for reports in flight, and the interval between polls, ms of real time. */
const timeoutMs = 20_000;
const lookMs = 50;

/** Awaits all reports of a job, and judges the answers to them. */
export async function judgeReported(
  { clock, cases }: CheckParts,
  facts: ReportFaultFacts,
  followed: Followed,
): Promise<void> {
  const { attempt, exchange } = followed;
  const isReplayed = taskVerdictOf(facts, attempt.cell).deadline === 'replay';
  if (isReplayed) {
    await settled(cases, followed, (job) => job.reports.length > 0 && job.reports.every(isAnswered));
    await clock.elapse(replayMs, restLateMs);
  }
  for (const { reports } of await settled(cases, followed, ({ reports_open: open }) => open === 0))
    judgeReports(reports, facts, attempt.cell.form, exchange);
}

function isAnswered({ status }: JobState['reports'][number]): boolean {
  return status !== null;
}

/**
 * Waits until the condition holds for all jobs of a task, and returns them.
 * @throws Error when the time limit passes first.
 */
async function settled(
  cases: Cases,
  { attempt }: Followed,
  isSuch: (job: JobState) => boolean,
): Promise<JobState[]> {
  const until = performance.now() + timeoutMs;
  for (;;) {
    const jobs = await attempt.scene.jobs(attempt.verdict.jobs[0]);
    if (jobs.every(isSuch)) return jobs;
    if (performance.now() > until)
      throw new Error(`${attempt.label}: reports are still missing after ${timeoutMs} ms`);
    await wait(lookMs, undefined, { signal: cases.signal });
  }
}
