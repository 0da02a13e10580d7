import type { NativeAnswer } from '../../answers/native-answer.ts';
import type { Fault } from '../../fault-contract/fault.ts';
import type { NativeError } from '../../providers/generate-content/errors.ts';
import { generateRefusal, refusing } from '../native/refusal.ts';

interface Quota {
  readonly id: string;
  readonly value: string;
}

const ofMinute: Quota = { id: 'GenerateRequestsPerMinutePerProjectPerModel-FreeTier', value: '15' };
const ofDay: Quota = { id: 'GenerateRequestsPerDayPerProjectPerModel-FreeTier', value: '200' };

/** The default of the stated wait, ms. */
const usualMs = 38_922.534355;

/** Where the wait is stated: in a detail (rounded down to seconds) and the text, only in the text, or nowhere. */
type HintPlace = 'retry-info' | 'text' | 'nowhere';

/** Reports an exceeded quota. It looks permanent but passes within a minute, and no header states it. */
export const quotaOfMinute: Fault = refusing('H10', {
  'generate-content': ({ form, waitMs }) => {
    if (form === 'json-in-message') return wrapped(exhausted(ofMinute, 'retry-info', waitMs));
    const place = form === 'text-hint' ? 'text' : 'retry-info';
    return generateRefusal(exhausted(ofMinute, place, waitMs), form === 'in-array');
  },
});

/** The same except for the name of the quota; the wait that it states is useless. */
export const quotaOfDay: Fault = refusing('H11', {
  'generate-content': ({ form, waitMs }) =>
    generateRefusal(
      exhausted(ofDay, form === 'no-retry-info' ? 'nowhere' : 'retry-info', waitMs),
      form === 'in-array',
    ),
});

function exhausted({ id, value }: Quota, place: HintPlace, waitMs: number | null): NativeError {
  const waitS = (waitMs ?? usualMs) / 1000;
  const metric = 'generativelanguage.googleapis.com/generate_content_free_tier_requests';
  const hint = place === 'nowhere' ? '' : `\nPlease retry in ${waitS}s.`;
  const violation = {
    quotaMetric: metric,
    quotaId: id,
    quotaDimensions: { location: 'global', model: 'g3p-2026-09' },
    quotaValue: value,
  };
  const retryInfo = {
    '@type': 'type.googleapis.com/google.rpc.RetryInfo',
    retryDelay: `${Math.floor(waitS)}s`,
  };
  return {
    code: 429,
    message: `You exceeded your current quota.\n* Quota exceeded for metric: ${metric}, limit: ${value}${hint}`,
    status: 'RESOURCE_EXHAUSTED',
    details: [
      { '@type': 'type.googleapis.com/google.rpc.QuotaFailure', violations: [violation] },
      ...(place === 'retry-info' ? [retryInfo] : []),
    ],
  };
}

/** The error as a careless proxy wraps it: its JSON is the message of another error. */
function wrapped({ code, message, status, details }: NativeError): NativeAnswer {
  const inner = JSON.stringify({ error: { code, message, status, details } }, null, 2);
  return generateRefusal({ code, message: inner, status: 'Too Many Requests' });
}
