import { isDeepStrictEqual } from 'node:util';
import type { JobOutput, JobView } from '../../answers/job-view.ts';
import { asNative, type WholeAnswer } from '../../answers/whole-answer.ts';
import { fileTypes } from '../../encoders/generated-file.ts';
import type { JobObservation } from '../../fault-contract/fault.ts';
import { seededRandom } from '../../random.ts';
import type { Job } from '../../state/jobs/job.ts';
import type { LinkedFile } from '../../state/jobs/linked-file.ts';
import type { NativeRequest, Opened, RequestOrigin } from '../dialect.ts';
import { type LinkBase, linkTo } from './links.ts';

/** The observed state of a job. */
export interface ObservedJob {
  readonly view: JobView;
  readonly observation: JobObservation;
  /** Whether its fault changed the view. */
  readonly isChanged: boolean;
}

/** The ids of a job's files, which are known from its submit on. */
export function fileIdsOf(job: Job): string[] {
  // Only a scripted id can have characters that a path cannot contain.
  const name = job.parts.id.replaceAll(/[^\w-]/g, '');
  return job.parts.files.map((_, index) => `${name}-${index}`);
}

/** The files of a job that was just submitted. Their links exist from now on. */
export function filesOf(job: Job): LinkedFile[] {
  const { files, dialect, channel, appliedFault, created_at_ms: createdAtMs, life } = job.parts;
  const isInQuery = life.links_by === 'query';
  return fileIdsOf(job).flatMap((id, index): LinkedFile[] => {
    const one = files[index];
    if (one === undefined) return [];
    return [
      { id, dialect, channel, content: one, index, job, appliedFault, createdAtMs, isInQuery, reads: 0 },
    ];
  });
}

/** The current state of a job, with its fault applied. */
export function observeJob(
  job: Job,
  nowMs: number,
  base: LinkBase,
  headers: JobObservation['headers'],
): ObservedJob {
  const { id, created_at_ms, dialect, appliedFault } = job.parts;
  const endedAtMs = job.endedAt(nowMs);
  const made = outputsOf(job, (endedAtMs ?? nowMs) + job.linkLifeMs, base);
  const observation: JobObservation = {
    dialect,
    form: appliedFault?.entry.form ?? null,
    waitMs: appliedFault?.waitMs ?? null,
    random: seededRandom('job-look', base.seed, base.tenant, id, job.polls),
    headers,
    nowMs,
    nth: job.polls,
    sinceMs: nowMs - created_at_ms,
    endedMs: endedAtMs === null ? null : nowMs - endedAtMs,
    made,
  };
  const given = job.viewAt(nowMs, made);
  const view = appliedFault?.fault.show?.(given, observation) ?? given;
  return { view, observation, isChanged: !isDeepStrictEqual(view, given) };
}

/** The answer to a poll, with the job's fault applied. */
export function answerPoll(job: Job, { observation, isChanged }: ObservedJob, answer: WholeAnswer): Opened {
  const { appliedFault, dialect } = job.parts;
  const { poll, show } = appliedFault?.fault ?? {};
  if (appliedFault === null || (poll === undefined && show === undefined)) {
    return { is: 'settled', headers: observation.headers, answer };
  }
  const given = asNative(answer, dialect, observation.headers);
  const polled = poll?.(given, observation) ?? given;
  const fault = { ...appliedFault.entry, applied: isChanged || polled !== given };
  return { is: 'faulted', fault, answer: polled };
}

/** The base of this upstream's links, with the host by which the client reached it. */
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
    type: fileTypes[file.content.ext],
    seconds: file.content.seconds,
  }));
}
