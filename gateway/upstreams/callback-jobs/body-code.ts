import type { IncomingHttpHeaders } from 'node:http';
import { isObject, type JsonObject } from '../../http/parse-json.ts';
import { classifyError } from '../chat-completions/classify.ts';
import { isPolicyText } from '../media/job-words.ts';
import { type FailureReason, failure, type UpstreamFailure } from '../outcome.ts';
import { namedCause } from '../refusal-words.ts';
import { retryAfterMs } from '../retry-after.ts';
import { statusReason } from '../status-reason.ts';

/** This dialect always answers 200 and reports the outcome in a code of the body. */
export const allWell = 200;
export const notFound = 404;

/** Codes whose meaning differs from the HTTP status of the same number. */
const codeReasons: Readonly<Record<number, FailureReason>> = {
  404: 'bad_request', // the parent job
  405: 'busy', // too many calls
  409: 'refused', // the result exists already
  413: 'policy', // rejected content
  430: 'busy', // too many calls
  455: 'busy', // maintenance
  531: 'server', // failed without charge
};

/** The code in a body; null when there is none. */
export function codeIn(body: unknown): number | null {
  const code = isObject(body) ? body.code : undefined;
  const number = typeof code === 'string' && /^\d{1,3}$/.test(code) ? Number(code) : code;
  return typeof number === 'number' && Number.isInteger(number) ? number : null;
}

/** Whether a code reports success; some deployments say 0. */
export function isWell(code: number | null): boolean {
  return code === allWell || code === 0;
}

/** The data of a successful body; null if there is none. */
export function dataIn(body: unknown): JsonObject | null {
  return isObject(body) && isObject(body.data) ? body.data : null;
}

/** The field to blame when the parent job is rejected. */
const parentField = 'parent_task_id';

/** Classifies a code other than success; a body without a code is an error in another format. */
export function classifyCode(body: unknown, status: number, headers: IncomingHttpHeaders): UpstreamFailure {
  const code = codeIn(body);
  if (code === null) return classifyError(body, status, headers, noFields);
  const reason = reasonOf(code, isObject(body) ? body.msg : undefined);
  const param = code === notFound ? parentField : null;
  return failure(reason, `answered with the code ${code}`, {
    status,
    param,
    retryAfterMs: retryAfterMs(headers),
  });
}

function reasonOf(code: number, text: unknown): FailureReason {
  const named = namedCause(text);
  if (named === 'exhausted' || named === 'context') return named;
  const own = codeReasons[code];
  if (own !== undefined) return own;
  if (code < 400 || code > 599) return 'unusable';
  const reason = statusReason(code);
  const isFiltered = named === 'policy' || isPolicyText(text);
  return reason === 'bad_request' && isFiltered ? 'policy' : reason;
}

/** Rejections are plain text and name no field. */
const noFields = { fieldOf: (): null => null, largest: 'prompt' } as const;
