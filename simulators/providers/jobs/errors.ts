import type { NativeError } from '../chat-completions/errors.ts';

export function jobNotFound(id: string): NativeError {
  const message = `There is no job ${id}.`;
  return { status: 404, message, type: 'invalid_request_error', param: 'id', code: 'job_not_found' };
}

export function idempotencyConflict(): NativeError {
  const message = 'The Idempotency-Key was used before, with another body.';
  return {
    status: 409,
    message,
    type: 'invalid_request_error',
    param: null,
    code: 'idempotency_conflict',
  };
}
