import { expect, it } from 'vitest';
import { collecting, Violation } from '../../rules/violation.ts';
import { answeredWith } from '../../testing/sample-exchange.ts';
import { type Exchange, jsonOf } from '../../wire/exchange.ts';
import { judgeAlike } from './judge-alike.ts';

function refusal(id: string, more: object = {}, status = 400): Exchange {
  const sample = answeredWith(['content-type', 'application/json']);
  const error = { type: 't', code: 'invalid_param', param: 'parent_task_id', channel: null, ...more };
  const body = Buffer.from(JSON.stringify({ error: { message: `No task ${id}.`, ...error } }));
  const request = { ...sample.request, body: Buffer.from(JSON.stringify({ parent_task_id: id })) };
  return { ...sample, request, response: sample.response && { ...sample.response, status, body } };
}

function judged(one: Exchange): string {
  const { error } = jsonOf(one) as { error: object };
  const twin =
    'request_id' in error
      ? { request_id: 'req-144598284763', at: '2026-11-30T17:48:20.001Z', ref: 1796059290 }
      : {};
  const found: string[] = [];
  try {
    collecting(
      ({ isAdvice }) => found.push(isAdvice ? 'advice' : 'flagged'),
      () => judgeAlike(one, refusal('t-2', twin), { requirement: 'JRNY-015', aspect: 'alike' }),
    );
  } catch (error) {
    if (!(error instanceof Violation)) throw error;
    found.push('fails');
  }
  return found.join() || 'nothing';
}

it.for<[string, string, Exchange]>([
  ['the same words about another id', 'nothing', refusal('t-1')],
  [
    'an id and a time of its own',
    'nothing',
    refusal('t-1', { request_id: 'req-204928114193', at: '2026-11-30T17:48:19.123Z', ref: 1796059288 }),
  ],
  ['a member more', 'advice', refusal('t-1', { owner: 'another account' })],
  ['other words', 'advice', refusal('t-1', { message: 'Not yours.' })],
  ['another code', 'fails', refusal('t-1', { code: 'task_not_found' })],
  ['another param', 'fails', refusal('t-1', { param: null })],
  ['another status', 'fails', refusal('t-1', {}, 404)],
])('of a refusal with %s: %s', ([, found, one]) => {
  expect(judged(one)).toBe(found);
});
