import type { ScriptedJob } from '../../control/job-shapes.ts';
import { bodyFingerprint } from '../../json/json-body.ts';
import { seededId } from '../../random.ts';
import type { AppliedJobFault, Job } from '../../state/jobs/job.ts';
import { hasBearerKey } from '../api-key.ts';
import { invalidRequest, missingKey, type NativeError } from '../chat-completions/errors.ts';
import type { NativeRequest, RequestOrigin } from '../dialect.ts';
import type { Identity } from '../identity.ts';
import { filesOf } from '../media/observe-job.ts';
import { idempotencyConflict } from './errors.ts';
import { makeFilms } from './reply.ts';
import { longestKey, parseRequest } from './request.ts';

/** A submit with everything that determines its answer. */
export interface Submit {
  readonly origin: RequestOrigin;
  readonly native: NativeRequest;
  readonly identity: Identity;
  /** The Idempotency-Key. */
  readonly key: string | null;
  readonly appliedFault: AppliedJobFault | null;
}

export type Submitted =
  | { readonly ok: true; readonly job: Job; readonly isNew: boolean }
  | { readonly ok: false; readonly error: NativeError };

/** Starts a job. A repeated key with the same body returns the job that it started before. */
export function submitJob(submit: Submit, known: Job | null, life: ScriptedJob): Submitted {
  const { origin, native, identity, key, appliedFault } = submit;
  if (!hasBearerKey(native)) return { ok: false, error: missingKey() };
  if (key !== null && key.length > longestKey) {
    const message = `An Idempotency-Key has at most ${longestKey} characters.`;
    return { ok: false, error: invalidRequest(message, null, 'invalid_idempotency_key') };
  }
  if (known !== null) {
    known.submits += 1;
    const isSame = known.parts.fingerprint === bodyFingerprint(native.body);
    return isSame ? { ok: true, job: known, isNew: false } : { ok: false, error: idempotencyConflict() };
  }
  const parsed = parseRequest(native.body);
  if (!parsed.ok) return parsed;
  const { seed, tenant, channel, n, nowMs } = identity;
  const job = origin.tenant.jobs.add({
    id: `job_${seededId(20, seed, tenant, channel, n)}${life.id_tail ?? ''}`,
    channel,
    dialect: 'jobs',
    model: parsed.request.model.name,
    reference: key,
    created_at_ms: nowMs,
    parent: null,
    request_n: n,
    task: null,
    life,
    files: makeFilms(parsed.request, life, seed),
    fingerprint: bodyFingerprint(native.body),
    appliedFault,
  });
  for (const file of filesOf(job)) origin.tenant.jobs.addFile(file);
  return { ok: true, job, isNew: true };
}
