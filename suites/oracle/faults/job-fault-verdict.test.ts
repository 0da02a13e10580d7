import { describe, expect, it } from 'vitest';
import { findingOf } from '../../testing/finding-of.ts';
import type { Exchange } from '../../wire/exchange.ts';
import type { TaskVerdict } from './job-fault-facts.ts';
import { judgeJobs, judgeNothingRaw, judgeTaskCode, type TaskSeen } from './job-fault-verdict.ts';

const verdict: TaskVerdict = {
  ends: ['FAILED'],
  codes: ['content_filter'],
  jobs: [1, 1],
  charge: 'nothing',
  links: 'none',
  deadline: null,
};

function answering(body: string): Exchange {
  const response = { status: 200, headers: [], body: Buffer.from(body), complete: true };
  return { request: {}, response } as unknown as Exchange;
}

const exchange = answering('{}');
const seen = (end: TaskSeen['end'], code: string | null = null): TaskSeen => ({ end, code, exchange });

describe('a failed task', () => {
  it('may report no error code, but no disallowed one', () => {
    const codes = [null, 'content_filter', 'upstream_error'];
    expect(codes.map((code) => findingOf(() => judgeTaskCode(seen('FAILED', code), verdict)))).toEqual([
      null,
      null,
      'STATE-006 fault-code',
    ]);
  });
});

it('judges the number of jobs of a task', () => {
  expect([0, 1, 2].map((count) => findingOf(() => judgeJobs(count, verdict, exchange)))).toEqual([
    'STATE-004 fault-jobs',
    null,
    'ROUTE-007 fault-jobs',
  ]);
});

it("detects an upstream's sentence, or a part of it, in the caller's answer", () => {
  const said = Buffer.from(
    JSON.stringify({ error: { message: 'Output held back. Request id: 0217-4d5f-8a61' } }),
  );
  const raw = (answer: string): string | null =>
    findingOf(() => judgeNothingRaw([said], 'the prompt', [answering(answer)]));
  expect([raw('{"message":"It was blocked."}'), raw('{"message":"see 0217-4d5f-8a61"}')]).toEqual([
    null,
    'STATE-006 fault-raw',
  ]);
  expect(raw('{"message":"Output held back."}')).toBe('STATE-006 fault-raw');
});
