import { S3ServiceError } from 's3mini';

/**
 * A request that the store did not fulfil. The library's own errors contain whole answers, in which stores repeat signed
 * headers. So these errors never leave this folder.
 */
export class S3Failure extends Error {
  override name = 'S3Failure';
  /** The status of the answer; null when there was none. */
  readonly status: number | null;
  /** The error code of the store or the network; empty when there is none. */
  readonly code: string;

  constructor(did: string, status: number | null, code: string) {
    const what = status === null ? code || 'no answer' : [status, code].join(' ').trim();
    super(`the media store failed at ${did}: ${what}`);
    this.status = status;
    this.code = code;
  }

  /** Whether a retry may succeed soon. */
  get isPassing(): boolean {
    if (this.status === null) return true;
    return this.status >= 500 || [408, 429].includes(this.status) || passingCodes.has(this.code);
  }
}

const passingCodes: ReadonlySet<string> = new Set(['RequestTimeout', 'SlowDown']);
/** Accepts only plain codes, never text in which a server might repeat the request. */
const plainCode = /^[A-Za-z0-9_]{1,64}$/;

/** @param did the action that was tried, such as `reading` */
export function s3FailureOf(error: unknown, did: string): S3Failure {
  if (error instanceof S3Failure) return error;
  const service = serviceErrorIn(error);
  if (service === null) return new S3Failure(did, null, networkCodeOf(error));
  const [, code = ''] = /<Code>([^<]*)<\/Code>/.exec(service.body ?? '') ?? [];
  return new S3Failure(did, service.status, plainCode.test(code) ? code : '');
}

/** Some library methods wrap the service error in an error of their own. */
function serviceErrorIn(error: unknown): S3ServiceError | null {
  if (error instanceof S3ServiceError) return error;
  return error instanceof Error && error.cause !== undefined ? serviceErrorIn(error.cause) : null;
}

function networkCodeOf(error: unknown): string {
  if (!(error instanceof Error)) return '';
  if (error.name === 'TimeoutError' || error.name === 'AbortError') return 'TIMEOUT';
  const inner = error instanceof AggregateError ? error.errors[0] : error.cause;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  return plainCode.test(code) ? code : networkCodeOf(inner);
}
