import type { ErrorCode } from './error-table.ts';

/** The permitted outcomes of an upstream that fails in the middle of an answer (readings B-35 and B-109). */
export const brokenOffCodes: readonly ErrorCode[] = [
  'upstream_error',
  'channel_outage',
  'channel_queue_full',
];

/** Codes with a type other than api_error that such a failure may have (readings B-38, B-109). */
export const codesInside: readonly string[] = ['content_filter', 'context_too_long', 'channel_queue_full'];

/** Statuses of failing upstreams, with the permitted codes of each (reading B-109). */
export const upstreamFailures: Readonly<Record<number, readonly ErrorCode[]>> = {
  302: ['upstream_error', 'channel_outage'],
  400: ['invalid_param', 'upstream_error'],
  401: ['upstream_error', 'channel_outage', 'channel_queue_full'],
  402: ['upstream_error', 'channel_outage', 'channel_queue_full'],
  403: ['upstream_error', 'channel_outage', 'channel_queue_full'],
  404: ['upstream_error', 'channel_outage', 'channel_queue_full'],
  408: ['upstream_timeout', 'upstream_error', 'channel_outage'],
  409: ['upstream_error', 'channel_outage', 'channel_queue_full'],
  413: ['invalid_param', 'context_too_long', 'upstream_error'],
  418: ['upstream_error', 'channel_outage'],
  422: ['invalid_param', 'upstream_error'],
  429: ['channel_queue_full', 'channel_outage', 'upstream_error'],
  500: ['upstream_error', 'channel_outage', 'channel_queue_full'],
  502: ['upstream_error', 'channel_outage', 'channel_queue_full'],
  503: ['channel_queue_full', 'channel_outage', 'upstream_error'],
  504: ['upstream_timeout', 'upstream_error', 'channel_outage'],
  529: ['channel_queue_full', 'channel_outage', 'upstream_error'],
  // A 200 answer that is not a completion.
  200: ['upstream_error', 'channel_outage'],
};

export const failureStatuses: readonly number[] = Object.keys(upstreamFailures).map(Number);

/** The permitted codes once the gateway considers its channels out of service. */
export function codesFor(status: number): readonly ErrorCode[] {
  const codes = upstreamFailures[status] ?? ['upstream_error'];
  return [...new Set<ErrorCode>([...codes, 'channel_outage'])];
}
