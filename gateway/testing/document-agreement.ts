import { expect } from 'vitest';
import { fits } from './json-schema.ts';
import type { Answer } from './wire.ts';

/**
 * Asserts that the document and the endpoint agree on a body: both accept it, or both reject it. Returns whether it was
 * accepted.
 */
export function expectAgreement(document: unknown, schema: unknown, body: unknown, answer: Answer): boolean {
  const isTaken = answer.status === 200 || answer.status === 201;
  if (!isTaken) expect(answer).toMatchObject({ status: 400, json: { error: { code: 'invalid_param' } } });
  expect(fits(schema, body, document)).toBe(isTaken);
  return isTaken;
}
