import { expect, it } from 'vitest';
import { tracedOf } from '../../engine/parts/exchange-trace.ts';
import type { Finding } from '../../rules/violation.ts';
import type { Exchange } from '../../wire/exchange.ts';
import type { Surroundings } from './surroundings.ts';
import { timelineOf } from './timeline-of.ts';

const beganAt = 1_800_000_000_000;
const marker = 'gc0123456789ab';

function exchangeAt(atMs: number, label = 'call', body = ''): Exchange {
  const url = 'https://gateway.example.test/api/v1/chat/completions';
  const request = { method: 'POST', url, headers: [], body: Buffer.from(body) };
  const response = {
    ...{ status: 200, headers: [], body: Buffer.of(), complete: true },
    ...{ firstByteMs: 20, endMs: 50, arrivals: [20, 50].map((atMs) => ({ atMs, bytesSoFar: atMs })) },
  };
  return { label, request, response, error: null, sentAt: beganAt + atMs, endedAt: beganAt + atMs + 50 };
}

function around(client: readonly Exchange[], more: Partial<Surroundings> = {}): Surroundings {
  return {
    ...{ beganAt, timeOf: (ms: number) => ms - beganAt, simulatorTimeOf: (ms: number) => ms - 1_000 },
    ...{ client: client.map(tracedOf), upstream: [], marked: new Map(), receiver: [], breakers: null },
    ...more,
  };
}

const rule = { requirement: 'R-1', aspect: 'a', expected: 'e', actual: 'a' };
const told = { seenAt: beganAt + 999, redact: (text: string) => text.replaceAll('secret', '$KEY') };
const story = (finding: Partial<Finding>, surroundings: Surroundings) =>
  timelineOf({ ...rule, ...finding }, surroundings, told);

it('shows the time of the comparison when no request shows the failure, and names missing sources', () => {
  const { moment, upstream, receiver } = story(
    {},
    around([exchangeAt(0)], { upstream: 'no simulators', receiver: 'no receiver' }),
  );
  expect(moment).toEqual({ at_ms: 999, lane: null, row: null });
  expect([upstream, receiver]).toEqual([
    { rows: [], no_source: 'no simulators' },
    { rows: [], no_source: 'no receiver' },
  ]);
});

it('keeps only the nearest requests, and counts the others', () => {
  const many = Array.from({ length: 500 }, (_, at) =>
    exchangeAt(10 * at, 'x'.repeat(500), at % 2 === 0 ? `[${marker}]` : ''),
  );
  const shown = many[250];
  const timeline = story(shown === undefined ? {} : { exchange: shown }, around(many));
  expect(timeline.client.rows.length + (timeline.client.left_out ?? 0)).toBe(500);
  expect(timeline.client.rows.length).toBeLessThanOrEqual(30);
  expect(timeline.client.rows.map(({ from_ms: from }) => from)).toContain(2_500);
  expect(JSON.stringify(timeline).length).toBeLessThan(16_000);
});
