import { isObject, parseJson, valueAt } from '../../json/json-body.ts';
import { seededHex } from '../../random.ts';
import { bearerKeyOf, hasBearerKey } from '../api-key.ts';
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
import { errorOfStatus, type Refusal, renderRefusal } from './errors.ts';
import { renderAccepted, renderRecord } from './reply.ts';
import { reportJob } from './report-job.ts';
import { submitJob } from './submit.ts';

const generatePath = '/v1/generate';
const recordPath = '/v1/record';

/** The callback-jobs dialect: bearer key; jobs report to a URL and can be polled. Every answer has HTTP 200. */
export const callbackJobs: Dialect = {
  name: 'callback-jobs',
  serves: ({ path }) => path === generatePath || path === recordPath,
  open,
};

function open(origin: RequestOrigin, native: NativeRequest, context: DialectContext): Opened {
  const identity = identityOf(origin, native.channel, context.seed);
  const { seed, tenant, channel, n } = identity;
  const headers = { 'x-trace-id': seededHex(32, 'trace', seed, tenant, channel, n), 'x-upstream': 'studio' };
  const refuse = (refusal: Refusal): Opened => ({ is: 'settled', headers, answer: renderRefusal(refusal) });
  const { method, path } = native;
  if (native.isTooLarge) return refuse({ code: 400, msg: 'the body is too large' });
  if (path === recordPath) {
    if (method !== 'GET') return refuse({ code: 400, msg: `${method} is not possible here` });
    return hasBearerKey(native)
      ? showRecord(origin, native, seed, headers)
      : refuse({ code: 401, msg: 'no key came with the request' });
  }
  if (method !== 'POST') return refuse({ code: 400, msg: `${method} is not possible here` });
  const answer: ModelCall['answer'] = (reply, pace, appliedFault) => {
    const submitted = submitJob({ origin, native, identity, appliedFault }, reply.job ?? {});
    if (!submitted.ok) return { ok: false, refusal: renderRefusal(submitted.refusal) };
    const { job, callbackUrl } = submitted;
    if (callbackUrl !== null) {
      const base = linkBaseOf(origin, native, seed);
      const { jobs } = origin.tenant;
      reportJob({
        job,
        url: callbackUrl,
        key: bearerKeyOf(native) ?? '',
        seed,
        tenant,
        clock: context.clock,
        observeAt: (ms) => observeJob(job, ms, base, headers),
        isKnown: () => jobs.find(job.parts.id) === job,
        others: () => jobs.others(job),
      });
    }
    return plainAnswer(renderAccepted(job).body, 'application/json', pace);
  };
  const submits = submitsBefore(origin, native) + 1;
  return { is: 'call', call: 'submit', submits, headers, ownError: errorOfStatus, answer };
}

/** How many earlier submits used the same reference. */
function submitsBefore({ tenant }: RequestOrigin, { body, channel }: NativeRequest): number {
  const json = parseJson(body);
  const reference = isObject(json) ? valueAt(json, ['reference']) : undefined;
  return typeof reference === 'string' ? tenant.jobs.named(channel, reference).length : 0;
}

function showRecord(
  origin: RequestOrigin,
  native: NativeRequest,
  seed: number,
  headers: Readonly<Record<string, string>>,
): Opened {
  const { jobs } = origin.tenant;
  const [id, reference] = [native.query.get('taskId'), native.query.get('reference')];
  const found = id !== null ? jobs.find(id) : (jobs.named(native.channel, reference ?? '')[0] ?? null);
  const isOwn = found?.parts.channel === native.channel && found.parts.dialect === 'callback-jobs';
  if (found === null || !isOwn) {
    return { is: 'settled', headers, answer: renderRefusal({ code: 404, msg: 'record not found' }) };
  }
  found.polls += 1;
  const observed = observeJob(found, origin.now(), linkBaseOf(origin, native, seed), headers);
  return answerPoll(found, observed, renderRecord(found, observed.view));
}
