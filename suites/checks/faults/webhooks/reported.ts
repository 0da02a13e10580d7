import { setTimeout as wait } from 'node:timers/promises';
import type { JobState } from '../../../../simulators/control/client.ts';
import type { Cases } from '../../../engine/parts/cases.ts';
import type { CheckParts } from '../../../engine/parts/check-parts.ts';
import { taskVerdictOf } from '../../../oracle/faults/job-fault-facts.ts';
import type { ReportFaultFacts } from '../../../oracle/faults/webhook-fault-facts.ts';
import { judgeReports } from '../../../oracle/faults/webhook-fault-verdict.ts';
import type { Followed } from '../jobs/follow-job.ts';

/** The age at which a report is a replay, and a little more, ms. */
const replayMs = 303_000;

/** How long reports may be in flight, ms of real time, and the interval between polls. */
const timeoutMs = 20_000;
const lookMs = 50;

/** Lets all reports of a job come, and judges what they were answered. */
export async function judgeReported(
  { clock, cases }: CheckParts,
  facts: ReportFaultFacts,
  followed: Followed,
): Promise<void> {
  const { attempt, exchange } = followed;
  const isReplayed = taskVerdictOf(facts, attempt.cell).deadline === 'replay';
  if (isReplayed) {
    await settled(cases, followed, (job) => job.reports.length > 0 && job.reports.every(isAnswered));
    await clock.elapse(replayMs);
  }
  for (const { reports } of await settled(cases, followed, ({ reports_open: open }) => open === 0))
    judgeReports(reports, facts, attempt.cell.form, exchange);
}

function isAnswered({ status }: JobState['reports'][number]): boolean {
  return status !== null;
}

/** The jobs of a task once this holds of all of them. @throws Error when it does not in time: reports come from our side. */
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
      throw new Error(`${attempt.label}: reports are still to come after ${timeoutMs} ms`);
    await wait(lookMs, undefined, { signal: cases.signal });
  }
}
