import { Agent, request } from 'undici';
import type { Cancellable, Clock } from '../../clock.ts';
import type { Job } from '../../control/jobs/job.ts';
import type { JobView } from '../../control/jobs/job-view.ts';
import { type Report, reportOf } from './reply.ts';

/** How long a receiver may take, and how often it is told, ms of the simulators' clock. */
const patienceMs = 15_000;
const mostTries = 3;
const pauseMs = 5000;

const agent = new Agent({ headersTimeout: 0, bodyTimeout: 0 });

/** What reporting needs of the one who does it. */
export interface ReportContext {
  readonly clock: Clock;
  /** What is told of the job now. */
  readonly see: () => JobView;
  /** Whether the job is still known: one that was forgotten tells nothing more. */
  readonly isKnown: () => boolean;
}

/** Posts to the URL whenever the job stands elsewhere, until it has ended. */
export function reportJob(job: Job, url: string, context: ReportContext): void {
  const { clock } = context;
  let told: JobView['stand'] = 'queued';
  let timer: Cancellable | null = null;
  const follow = (): void => {
    timer?.cancel();
    timer = null;
    if (!context.isKnown()) return;
    const view = context.see();
    if (view.stand !== told) {
      told = view.stand;
      void deliver(url, reportOf(job, view), context);
    }
    const nextMs = job.changesAfter(clock.now());
    if (nextMs !== null) timer = clock.schedule(nextMs - clock.now(), follow);
  };
  job.watch(follow);
  follow();
}

/** Tries until somebody answers with a status from 200 to 299. */
async function deliver(url: string, report: Report, { clock, isKnown }: ReportContext): Promise<void> {
  for (let tried = 0; tried < mostTries && isKnown(); tried += 1) {
    if (tried > 0) await clock.sleep(pauseMs);
    if (await isTaken(url, report, clock)) return;
  }
}

async function isTaken(url: string, report: Report, clock: Clock): Promise<boolean> {
  const patience = new AbortController();
  const timer = clock.schedule(patienceMs, () => patience.abort());
  try {
    const { statusCode, body } = await request(url, {
      dispatcher: agent,
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(report),
      signal: patience.signal,
    });
    await body.dump();
    return statusCode >= 200 && statusCode < 300;
  } catch {
    return false;
  } finally {
    timer.cancel();
  }
}
