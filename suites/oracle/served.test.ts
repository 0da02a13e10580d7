import { expect, it } from 'vitest';
import { collecting, type Finding, Violation } from '../rules/violation.ts';
import type { Exchange } from '../wire/exchange.ts';
import { judgeIsServed } from './served.ts';

/** The rules that an answer is blamed for: collected ones, and the one that ended the judging. */
function blamed(status: number, body: object, statuses?: readonly number[]): string[] {
  const response = { status, headers: [], body: Buffer.from(JSON.stringify(body)), complete: true };
  const exchange = { label: 'a call', response, error: null } as unknown as Exchange;
  const found: Finding[] = [];
  try {
    collecting(
      (finding) => found.push(finding),
      () =>
        judgeIsServed(exchange, {
          own: { requirement: 'CHAT-012', aspect: 'accepted' },
          what: 'a completion',
          status: { requirement: 'RESP-023', aspect: 'success-status' },
          ...(statuses === undefined ? {} : { statuses }),
        }),
    );
  } catch (error) {
    if (!(error instanceof Violation)) throw error;
    found.push(error.finding);
  }
  return found.map(({ requirement }) => requirement);
}

const refusal = { error: { type: 'api_error', code: 'internal_error', message: 'No.' } };

it("blames a refusal on the check's rule, and another success status on the answer's rule", () => {
  expect(blamed(200, { id: 'one' })).toEqual([]);
  expect(blamed(400, refusal)).toEqual(['CHAT-012']);
  expect(blamed(201, { id: 'one' })).toEqual(['RESP-023']);
  expect(blamed(202, { id: 'one' }, [200, 202])).toEqual([]);
  expect(blamed(304, {})).toEqual(['CHAT-012']);
});

it('blames an error object with a success status on the rule about errors', () => {
  expect(blamed(200, refusal)).toEqual(['ERR-001']);
  expect(blamed(200, { error: null })).toEqual([]);
  expect(blamed(200, { task_id: 'one', status: 'FAILED', ...refusal })).toEqual([]);
});
