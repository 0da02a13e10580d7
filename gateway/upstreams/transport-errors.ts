import { type FailureReason, failure, type UpstreamFailure } from './outcome.ts';

/** The upstream did not accept the connection in time. */
export class ConnectTimeout extends Error {
  readonly code = 'GATEWAY_CONNECT_TIMEOUT';
  constructor() {
    super('the upstream did not accept the connection in time');
    this.name = 'ConnectTimeout';
  }
}

/** Errors in the bytes of an answer: the connection worked, the answer is no HTTP that we take. */
const UNUSABLE = ['UND_ERR_HEADERS_OVERFLOW', 'UND_ERR_RESPONSE', 'UND_ERR_RES_EXCEEDED_MAX_SIZE'];

/** What an error of the transport says about the upstream. Only its code goes into the log. */
export function transportFailure(error: unknown): UpstreamFailure {
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'no code';
  return failure(reasonOf(code), `transport: ${code}`);
}

function reasonOf(code: string): FailureReason {
  if (code === 'GATEWAY_CONNECT_TIMEOUT' || code === 'ETIMEDOUT' || code === 'UND_ERR_CONNECT_TIMEOUT')
    return 'timeout';
  return UNUSABLE.includes(code) || code.startsWith('HPE_') ? 'unusable' : 'connection';
}
