import type { JobOutput, JobView } from '../../answers/job-view.ts';
import { asNative, type WholeAnswer } from '../../answers/whole-answer.ts';
import { fileTypes } from '../../encoders/generated-file.ts';
import type { JobLook } from '../../fault-contract/fault.ts';
import { seededRandom } from '../../random.ts';
import type { Job } from '../../state/jobs/job.ts';
import type { TenantFile } from '../../state/jobs/linked-file.ts';
import type { NativeRequest, Opened, RequestOrigin } from '../dialect.ts';
import { type LinkBase, linkTo } from './links.ts';

/** What somebody who looks at a job sees of it. */
export interface Seen {
  readonly view: JobView;
  readonly look: JobLook;
}

/** The ids of the files of a job, which are known as soon as it is. */
export function fileIdsOf(job: Job): string[] {
  return job.parts.made.map((_, index) => `${job.parts.id}-${index}`);
}

/** The files of a job that was just submitted: they wait behind their links from now on. */
export function filesOf(job: Job): TenantFile[] {
  const { made, dialect, channel, befallen, created_at_ms } = job.parts;
  return fileIdsOf(job).flatMap((id, index): TenantFile[] => {
    const one = made[index];
    if (one === undefined) return [];
    return [{ id, dialect, channel, made: one, index, job, befallen, createdAtMs: created_at_ms, reads: 0 }];
  });
}

/** Where a job stands now, with whatever a fault makes of it. */
export function seeJob(job: Job, nowMs: number, base: LinkBase, headers: JobLook['headers']): Seen {
  const { id, created_at_ms, dialect, befallen } = job.parts;
  const endedAtMs = job.endedAt(nowMs);
  const made = outputsOf(job, (endedAtMs ?? nowMs) + job.linkLifeMs, base);
  const look: JobLook = {
    dialect,
    form: befallen?.entry.form ?? null,
    random: seededRandom('job-look', base.seed, base.tenant, id, job.polls),
    headers,
    nowMs,
    nth: job.polls,
    sinceMs: nowMs - created_at_ms,
    endedMs: endedAtMs === null ? null : nowMs - endedAtMs,
    made,
  };
  const view = job.viewAt(nowMs, made);
  return { view: befallen?.fault.show?.(view, look) ?? view, look };
}

/** The answer to a poll, and whatever a fault makes of it. */
export function answerPoll(job: Job, look: JobLook, answer: WholeAnswer): Opened {
  const { befallen, dialect } = job.parts;
  const { poll, show } = befallen?.fault ?? {};
  if (befallen === null || (poll === undefined && show === undefined)) {
    return { is: 'settled', headers: look.headers, answer };
  }
  const given = asNative(answer, dialect, look.headers);
  return { is: 'befallen', fault: befallen.entry, answer: poll === undefined ? given : poll(given, look) };
}

/** Where links of this upstream lead, as the one who asks reaches it. */
export function linkBaseOf(
  origin: RequestOrigin,
  { headers, channel }: NativeRequest,
  seed: number,
): LinkBase {
  return { host: headers.get('host') ?? '', tenant: origin.tenant.name, channel, seed };
}

function outputsOf(job: Job, expiresMs: number, base: LinkBase): JobOutput[] {
  return filesOf(job).map((file) => ({
    url: linkTo(file, expiresMs, base),
    type: fileTypes[file.made.ext],
    seconds: file.made.seconds,
  }));
}
