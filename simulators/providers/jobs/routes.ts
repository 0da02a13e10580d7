import { seededHex } from '../../random.ts';
import { hasBearerKey } from '../api-key.ts';
import {
  bodyTooLarge,
  errorOfStatus,
  missingKey,
  type NativeError,
  renderError,
  unknownPath,
  wrongMethod,
} from '../chat-completions/errors.ts';
import {
  type Dialect,
  type DialectContext,
  type ModelCall,
  type NativeRequest,
  type Opened,
  plainAnswer,
  type RequestOrigin,
} from '../dialect.ts';
import { identityOf } from '../identity.ts';
import { answerPoll, linkBaseOf, observeJob } from '../media/observe-job.ts';
import { jobNotFound } from './errors.ts';
import { renderAccepted, renderJob } from './reply.ts';
import { submitJob } from './submit.ts';

const jobsPath = '/v1/jobs';

/**
 * The jobs dialect: bearer key; the client submits a job under its own idempotency key, and polls it until it
 * ends.
 */
export const jobs: Dialect = {
  name: 'jobs',
  serves: ({ path }) => path === jobsPath || path.startsWith(`${jobsPath}/`),
  open,
};

function open(origin: RequestOrigin, native: NativeRequest, context: DialectContext): Opened {
  const { method, path } = native;
  const identity = identityOf(origin, native.channel, context.seed);
  const { seed, tenant, channel, n } = identity;
  const headers = {
    'x-request-id': `jobreq_${seededHex(24, seed, tenant, channel, n)}`,
    'x-upstream': 'jobs',
  };
  const refuse = (error: NativeError): Opened => ({ is: 'settled', headers, answer: renderError(error) });
  const [, id] = /^\/v1\/jobs\/([^/]+)$/.exec(path) ?? [];
  if (id !== undefined) return poll(origin, native, decoded(id), { seed, headers });
  if (path !== jobsPath) return refuse(unknownPath(method, path));
  if (method !== 'POST') return refuse(wrongMethod(method, path));
  if (native.isTooLarge) return refuse(bodyTooLarge());
  const key = native.headers.get('idempotency-key') ?? null;
  const [known] = key === null ? [] : origin.tenant.jobs.named(channel, key);
  const answer: ModelCall['answer'] = (reply, pace, appliedFault) => {
    const submitted = submitJob(
      { origin, native, identity, key, appliedFault },
      known ?? null,
      reply.job ?? {},
    );
    if (!submitted.ok) return { ok: false, refusal: renderError(submitted.error) };
    const { status, body } = renderAccepted(submitted.job, submitted.isNew);
    return plainAnswer(body, 'application/json', pace, status);
  };
  const ownError: ModelCall['ownError'] = (status) => renderError(errorOfStatus(status));
  return { is: 'call', call: 'submit', submits: (known?.submits ?? 0) + 1, headers, ownError, answer };
}

/** The decoded id in a path segment; the segment itself if it is not valid encoding. */
function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

function poll(
  origin: RequestOrigin,
  native: NativeRequest,
  id: string,
  { seed, headers }: { readonly seed: number; readonly headers: Readonly<Record<string, string>> },
): Opened {
  const refuse = (error: NativeError): Opened => ({ is: 'settled', headers, answer: renderError(error) });
  if (native.method !== 'GET') return refuse(wrongMethod(native.method, native.path, 'GET'));
  if (!hasBearerKey(native)) return refuse(missingKey());
  const job = origin.tenant.jobs.find(id);
  if (job === null || job.parts.channel !== native.channel || job.parts.dialect !== 'jobs') {
    return refuse(jobNotFound(id));
  }
  job.polls += 1;
  const observed = observeJob(job, origin.now(), linkBaseOf(origin, native, seed), headers);
  return answerPoll(job, observed, renderJob(job, observed.view));
}
