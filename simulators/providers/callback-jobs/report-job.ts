import type { Callback } from '../../answers/callback.ts';
import type { JobView } from '../../answers/job-view.ts';
import type { Cancellable } from '../../clock.ts';
import type { ReportObservation } from '../../fault-contract/fault.ts';
import { seededId, seededRandom } from '../../random.ts';
import type { ObservedJob } from '../media/observe-job.ts';
import { type Delivery, deliver } from './deliver.ts';
import { reportOf } from './reply.ts';

/** The dependencies of a job's callbacks. */
export interface Reporting extends Delivery {
  readonly seed: number;
  readonly tenant: string;
  /** The job as a callback describes it at that time. */
  readonly observeAt: (ms: number) => ObservedJob;
  /** Ids of the other jobs of its channel, the newest first. */
  readonly others: () => readonly string[];
}

/**
 * Sends a callback at every change of the job's state, until it has ended. It also sends one for a state that was already
 * over. So the callbacks depend neither on load nor on jumps of the clock.
 */
export function reportJob(reporting: Reporting): void {
  const { job, clock } = reporting;
  let reportedStage: JobView['stage'] = 'queued';
  let reports = 0;
  let reportedUntilMs = Number.NEGATIVE_INFINITY;
  let hasEnded = false;
  let timer: Cancellable | null = null;
  const reportChange = (seen: ObservedJob): void => {
    if (seen.observation.endedMs !== null && !hasEnded) {
      hasEnded = true;
      job.reportsOpen -= 1;
    }
    if (seen.view.stage === reportedStage) return;
    reportedStage = seen.view.stage;
    reports += 1;
    for (const callback of callbacksOf(reporting, seen, reports)) void deliver(callback, reporting);
  };
  const follow = (): void => {
    timer?.cancel();
    timer = null;
    let nextMs = job.changesAfter(reportedUntilMs);
    while (nextMs !== null && nextMs <= clock.now() && reporting.isKnown()) {
      reportChange(reporting.observeAt(nextMs));
      reportedUntilMs = nextMs;
      nextMs = job.changesAfter(reportedUntilMs);
    }
    if (nextMs !== null && reporting.isKnown()) timer = clock.schedule(nextMs - clock.now(), follow);
  };
  // Counts the callback for the end until it has been sent.
  job.reportsOpen += 1;
  job.watch(follow);
  follow();
}

/** The callbacks for the nth change of a job: one, or those of a fault. */
function callbacksOf(
  { job, clock, seed, tenant, others }: Reporting,
  { view, observation }: ObservedJob,
  n: number,
): readonly Callback[] {
  const { id, appliedFault } = job.parts;
  const report = reportOf(job, view);
  const honest: Callback = {
    id: `cb_${seededId(24, 'callback', seed, tenant, id, n)}`,
    kind: report.data.callbackType,
    body: [Buffer.from(JSON.stringify(report))],
    contentType: 'application/json',
  };
  if (appliedFault?.fault.report === undefined) return [honest];
  const random = seededRandom('report', seed, tenant, id, n);
  const reportObservation: ReportObservation = {
    ...observation,
    nowMs: clock.now(),
    random,
    nth: n,
    others: others(),
  };
  return appliedFault.fault.report(honest, reportObservation);
}
