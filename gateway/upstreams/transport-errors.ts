import { errors } from 'undici';
import { type FailureReason, failure, type UpstreamFailure } from './outcome.ts';

/** The upstream did not accept the connection in time. */
export class ConnectTimeout extends Error {
  readonly code = 'GATEWAY_CONNECT_TIMEOUT';
  constructor() {
    super('the upstream did not accept the connection in time');
    this.name = 'ConnectTimeout';
  }
}

/** Errors in the bytes of an answer: the connection worked, the answer is no HTTP that we take. And links that are none. */
const unusable = [
  'UND_ERR_HEADERS_OVERFLOW',
  'UND_ERR_RESPONSE',
  'UND_ERR_RES_EXCEEDED_MAX_SIZE',
  'GATEWAY_UNKNOWN_CODING',
  // A link that leads where nobody follows it, or to a host that nobody knows.
  'GATEWAY_BLOCKED',
  'GATEWAY_UNRESOLVED',
];

/** How the codes of zlib and what else undoes a compression begin. */
const codingKinds = /^(?:Z_|ZSTD_|ERR__ERROR_|ERR_BROTLI)/;

/** The bytes were no HTTP. Such an error carries bytes of the upstream, and has no code that could be relied on. */
export function isParserError(error: unknown): boolean {
  return error instanceof errors.HTTPParserError;
}

/** What an error of the transport says about the upstream. Only its code goes into the log. */
export function transportFailure(error: unknown): UpstreamFailure {
  if (isParserError(error)) return failure('unusable', 'transport: no HTTP');
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'no code';
  return failure(reasonOf(code), `transport: ${code}`);
}

function reasonOf(code: string): FailureReason {
  if (code === 'GATEWAY_CONNECT_TIMEOUT' || code === 'ETIMEDOUT' || code === 'UND_ERR_CONNECT_TIMEOUT')
    return 'timeout';
  return unusable.includes(code) || codingKinds.test(code) ? 'unusable' : 'connection';
}
