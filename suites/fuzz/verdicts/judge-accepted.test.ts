import { expect, it } from 'vitest';
import { exchangeOf, sampleCompletion, sampleModel, sampleTime } from '../../testing/sample-answers.ts';
import type { Exchange } from '../../wire/exchange.ts';
import type { FuzzCase } from '../cases/fuzz-case.ts';
import { judgeAccepted } from './judge-accepted.ts';

const hourMs = 3_600_000;

/** The verdicts on a chat answer with this `created` time and this `Date` header. */
function said(createdMs: number, dateMs: number): string[] {
  const answer = { ...sampleCompletion(), created: Math.floor(createdMs / 1_000) };
  const exchange = exchangeOf(JSON.stringify(answer));
  const { headers = [] } = exchange.response ?? {};
  const dated = [...headers, ['date', new Date(dateMs).toUTCString()]] as const;
  const sent = { ...exchange, response: { ...exchange.response, headers: dated } } as Exchange;
  const one = { subject: { endpoint: 'chat', model: sampleModel }, cells: [] } as unknown as FuzzCase;
  return judgeAccepted(one, sent).map(({ actual }) => actual);
}

it("judges the time of an answer by the deployment's own clock", () => {
  expect(said(sampleTime, sampleTime)).toEqual([]);
  expect(said(sampleTime + hourMs, sampleTime + hourMs)).toEqual([]);
  expect(said(sampleTime + hourMs, sampleTime)).toHaveLength(1);
});
