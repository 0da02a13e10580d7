import pg from 'pg';
import { describe, expect, it } from 'vitest';
import { isConnectionFailure } from './connection-failure.ts';

function answer(code: string | undefined): pg.DatabaseError {
  const error = new pg.DatabaseError('refused', 1, 'error');
  error.code = code;
  return error;
}

describe('isConnectionFailure', () => {
  it.each(['08006', '53300', '57P01', 'GF001', '25006', '58030', 'XX000', undefined])(
    'returns true for SQLSTATE %s',
    (code) => {
      expect(isConnectionFailure(answer(code))).toBe(true);
    },
  );

  it.each(['22P05', '23514', '22003', '40001', '25P02'])('returns false for SQLSTATE %s', (code) => {
    expect(isConnectionFailure(answer(code))).toBe(false);
  });

  it('returns true for errors that do not come from the database', () => {
    expect(isConnectionFailure(new Error('Connection terminated unexpectedly'))).toBe(true);
    expect(isConnectionFailure('anything')).toBe(true);
  });
});
