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

/** Errors where the connection worked but the answer is not acceptable HTTP, and links that cannot be used. */
const unusable = [
  'UND_ERR_HEADERS_OVERFLOW',
  'UND_ERR_RESPONSE',
  'UND_ERR_RES_EXCEEDED_MAX_SIZE',
  'GATEWAY_UNKNOWN_CODING',
  // A link to a blocked address or to an unknown host.
  'GATEWAY_BLOCKED',
  'GATEWAY_UNRESOLVED',
];

/** Prefixes of the error codes of zlib and the other decompressors. */
const codingKinds = /^(?:Z_|ZSTD_|ERR__ERROR_|ERR_BROTLI)/;

/** The bytes were not HTTP. Such an error carries bytes of the upstream and has no reliable code. */
export function isParserError(error: unknown): boolean {
  return error instanceof errors.HTTPParserError;
}

/** The failure for a transport error. Only the error's code goes into the log. */
export function transportFailure(error: unknown): UpstreamFailure {
  if (isParserError(error)) return parserFailure(error);
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'no code';
  return failure(reasonOf(code), `transport: ${code}`);
}

/** The parser reported no bad byte but was stopped within an answer: its connection broke. */
function parserFailure(error: unknown): UpstreamFailure {
  const isBroken = error instanceof Error && 'data' in error && error.data === '';
  return isBroken
    ? failure('connection', 'transport: broken off')
    : failure('unusable', 'transport: no HTTP');
}

function reasonOf(code: string): FailureReason {
  if (code === 'GATEWAY_CONNECT_TIMEOUT' || code === 'ETIMEDOUT' || code === 'UND_ERR_CONNECT_TIMEOUT')
    return 'timeout';
  return unusable.includes(code) || codingKinds.test(code) ? 'unusable' : 'connection';
}
