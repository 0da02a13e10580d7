import { expect } from 'vitest';
import { fits } from './json-schema.ts';
import type { Answer } from './wire.ts';

/**
 * Compares what the document says of a body with what its endpoint did: taken, or refused for a fault in it. Whether
 * it was taken.
 */
export function expectAgreement(document: unknown, schema: unknown, body: unknown, answer: Answer): boolean {
  const isTaken = answer.status === 200 || answer.status === 201;
  if (!isTaken) expect(answer).toMatchObject({ status: 400, json: { error: { code: 'invalid_param' } } });
  expect(fits(schema, body, document)).toBe(isTaken);
  return isTaken;
}
