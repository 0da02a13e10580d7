import type { Callback } from '../../answers/callback.ts';
import type { JobView } from '../../answers/job-view.ts';
import type { Cancellable } from '../../clock.ts';
import type { ReportObservation } from '../../fault-contract/fault.ts';
import { seededId, seededRandom } from '../../random.ts';
import type { ObservedJob } from '../media/observe-job.ts';
import { type Delivery, deliver } from './deliver.ts';
import { reportOf } from './reply.ts';

/** What reporting needs of the one who does it. */
export interface Reporting extends Delivery {
  readonly seed: number;
  readonly tenant: string;
  /** What is told of the job as it stood at that time. */
  readonly observeAt: (ms: number) => ObservedJob;
  /** Ids of the other jobs of its channel, the newest first. */
  readonly others: () => readonly string[];
}

/**
 * Posts to the URL whenever the job stands elsewhere, until it has ended. Also a stand that was over before anybody came
 * to tell it is told, so that what goes out depends neither on load nor on jumps of the clock.
 */
export function reportJob(reporting: Reporting): void {
  const { job, clock } = reporting;
  let told: JobView['stage'] = 'queued';
  let reported = 0;
  let toldUntilMs = Number.NEGATIVE_INFINITY;
  let hasEnded = false;
  let timer: Cancellable | null = null;
  const tell = (seen: ObservedJob): void => {
    if (seen.observation.endedMs !== null && !hasEnded) {
      hasEnded = true;
      job.reportsOpen -= 1;
    }
    if (seen.view.stage === told) return;
    told = seen.view.stage;
    reported += 1;
    for (const callback of callbacksOf(reporting, seen, reported)) void deliver(callback, reporting);
  };
  const follow = (): void => {
    timer?.cancel();
    timer = null;
    let nextMs = job.changesAfter(toldUntilMs);
    while (nextMs !== null && nextMs <= clock.now() && reporting.isKnown()) {
      tell(reporting.observeAt(nextMs));
      toldUntilMs = nextMs;
      nextMs = job.changesAfter(toldUntilMs);
    }
    if (nextMs !== null && reporting.isKnown()) timer = clock.schedule(nextMs - clock.now(), follow);
  };
  // The report of the end, until it has been told.
  job.reportsOpen += 1;
  job.watch(follow);
  follow();
}

/** What goes out for the nth change of a job: one callback, or what a fault makes of it. */
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
