import type { ScriptedJob } from '../../control/job-shapes.ts';
import { bodyFingerprint } from '../../json/json-body.ts';
import { seededHex } from '../../random.ts';
import type { AppliedJobFault, Job } from '../../state/jobs/job.ts';
import { hasBearerKey } from '../api-key.ts';
import type { NativeRequest, RequestOrigin } from '../dialect.ts';
import type { Identity } from '../identity.ts';
import { filesOf } from '../media/observe-job.ts';
import type { Refusal } from './errors.ts';
import { type GenerateRequest, parseRequest } from './request.ts';
import { makeResults } from './results.ts';

export type Submitted =
  | { readonly ok: true; readonly job: Job; readonly callbackUrl: string | null }
  | { readonly ok: false; readonly refusal: Refusal };

/** A submit with everything that determines its answer. */
export interface Submit {
  readonly origin: RequestOrigin;
  readonly native: NativeRequest;
  readonly identity: Identity;
  readonly appliedFault: AppliedJobFault | null;
}

/** Starts a job, even when its reference was used before: this upstream leaves deduplication to its clients. */
export function submitJob({ origin, native, identity, appliedFault }: Submit, life: ScriptedJob): Submitted {
  if (!hasBearerKey(native))
    return { ok: false, refusal: { code: 401, msg: 'no key came with the request' } };
  const parsed = parseRequest(native.body);
  if (!parsed.ok) return parsed;
  const { request } = parsed;
  const { seed, tenant, channel, n, nowMs } = identity;
  const parents = findParents(origin, native.channel, request);
  if (!parents.ok) return parents;
  const id = `${seededHex(32, 'task', seed, tenant, channel, n)}${life.id_tail ?? ''}`;
  const job = origin.tenant.jobs.add({
    id,
    channel,
    dialect: 'callback-jobs',
    model: request.model.name,
    reference: request.reference,
    created_at_ms: nowMs,
    parent: request.parents[0] ?? null,
    request_n: n,
    task: request.task,
    life,
    files: makeResults({ id, request, parents: parents.jobs, life, seed }),
    fingerprint: bodyFingerprint(native.body),
    appliedFault,
  });
  for (const file of filesOf(job)) origin.tenant.jobs.addFile(file);
  return { ok: true, job, callbackUrl: request.callbackUrl };
}

type Found = { readonly ok: true; readonly jobs: Job[] } | { readonly ok: false; readonly refusal: Refusal };

/** Finds the parent jobs: of the same account and model, and of a task that can be continued. */
function findParents({ tenant }: RequestOrigin, channel: string, request: GenerateRequest): Found {
  const { model, parents } = request;
  const jobs: Job[] = [];
  for (const id of parents) {
    const job = tenant.jobs.find(id);
    const isOwn = job !== null && job.parts.channel === channel && job.parts.model === model.name;
    if (job === null || !isOwn) return { ok: false, refusal: { code: 404, msg: 'parent record not found' } };
    if (!model.basis.has(job.parts.task ?? '')) {
      return { ok: false, refusal: { code: 400, msg: 'the parent is of another kind' } };
    }
    jobs.push(job);
  }
  return { ok: true, jobs };
}
