import type { JournalEntry } from 'gatecheck-simulators/client';
import { expect, it } from 'vitest';
import { tracedOf } from '../../engine/parts/exchange-trace.ts';
import type { ReceivedRequest } from '../../receiver/protocol.ts';
import type { Finding } from '../../rules/violation.ts';
import type { Exchange } from '../../wire/exchange.ts';
import type { Surroundings } from './surroundings.ts';
import { timelineOf } from './timeline-of.ts';

const beganAt = 1_800_000_000_000;
const marker = 'gc0123456789ab';
const inbox = 'in-0123456789abcdef01';

function exchangeAt(
  atMs: number,
  more: { label?: string; body?: string; path?: string; answer?: string } = {},
): Exchange {
  const { label = 'call', body = '', path = '/api/v1/chat/completions', answer = '' } = more;
  const request = {
    method: 'POST',
    url: `https://gateway.example.test${path}`,
    headers: [],
    body: Buffer.from(body),
  };
  const response = {
    ...{ status: 200, headers: [], body: Buffer.from(answer), complete: true },
    ...{ firstByteMs: 20, endMs: 50, arrivals: [20, 50].map((atMs) => ({ atMs, bytesSoFar: atMs })) },
  };
  return { label, request, response, error: null, sentAt: beganAt + atMs, endedAt: beganAt + atMs + 50 };
}

function entryAt(n: number, atMs: number, body = ''): JournalEntry {
  const reply = {
    ...{ script: null, status: 200, waiting_at: null, ended: 'complete' as const },
    ...{ body_base64: Buffer.from('said').toString('base64'), ended_at_ms: atMs + 8 },
    headers: [],
    sends: [{ label: 'head', intended_ms: atMs, actual_ms: atMs + 4, bytes: 0 }],
  };
  const request = {
    ...{ method: 'POST', path: '/one/alpha/v1/x', headers: [], complete: true },
    body_base64: Buffer.from(body).toString('base64'),
  };
  return { n, tenant: 'one', channel: 'alpha', received_at_ms: atMs, request, reply };
}

function arrivalAt(atMs: number): ReceivedRequest {
  const at = beganAt + atMs;
  return {
    ...{
      n: 1,
      via: 'https',
      began_ms: at,
      at_ms: at,
      method: 'POST',
      target: `/${inbox}`,
      headers: [],
      cut: false,
    },
    body_base64: Buffer.from('{"type":"task.success","data":{"task_id":"task_1"}}').toString('base64'),
    answered: { kind: 'status', status: 200, at_ms: at + 3 },
  };
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

it('shows the answer that broke the rule among the requests of its scene, and others beside them', () => {
  const [plain, shown, other] = [
    exchangeAt(10, { label: 'plain', body: `[${marker}]` }),
    exchangeAt(100, { label: 'streamed secret', body: `[${marker}]` }),
    exchangeAt(130, { label: 'other' }),
  ] as const;
  const entries = [entryAt(1, 1_020), entryAt(2, 1_110, 'asked')];
  const marked = new Map([[marker, new Map([['one 2', entryAt(2, 1_110, 'asked')]])]]);
  const { moment, client, upstream, receiver } = story(
    { exchange: shown },
    around([plain, shown, other], {
      upstream: entries.map((one) => entryAt(one.n, one.received_at_ms)),
      marked,
    }),
  );
  expect(moment).toEqual({ at_ms: 150, lane: 'client', row: 1 });
  expect(client.rows.map(({ label, role, from_ms: from }) => [label, role, from])).toEqual([
    ['plain', 'same', 10],
    ['streamed $KEY', 'shows', 100],
    ['other', undefined, 130],
  ]);
  expect(client.rows[1]).toMatchObject({
    first_byte_ms: 120,
    to_ms: 150,
    pieces_ms: [120, 150],
    status: 200,
  });
  expect(upstream.rows).toMatchObject([
    { label: 'alpha', path: '/v1/x', from_ms: 20, first_byte_ms: 24, to_ms: 28 },
    { role: 'same', from_ms: 110, request: 'asked', answer: 'said' },
  ]);
  expect(upstream.rows[0]).not.toHaveProperty('request');
  expect(receiver).toEqual({ rows: [] });
});

it('ties a task to the requests that make and read it, and to the event that tells of it', () => {
  const made = exchangeAt(0, {
    path: '/api/v1/tasks',
    answer: '{"task_id":"task_1"}',
    body: `{"webhook_url":"x/${inbox}"}`,
  });
  const read = exchangeAt(60, { path: '/api/v1/tasks/task_1' });
  const foreign = exchangeAt(70, { path: '/api/v1/tasks/task_2' });
  const { client, receiver, moment } = story(
    { exchange: read },
    around([made, read, foreign], { receiver: [arrivalAt(200)] }),
  );
  expect(client.rows.map(({ role }) => role)).toEqual(['same', 'shows', undefined]);
  expect(receiver.rows).toMatchObject([
    { label: 'event 1, task.success', role: 'same', from_ms: 200, to_ms: 203 },
  ]);
  expect(moment.lane).toBe('client');
});

it('sees a wrong event at its arrival, and a wrong request to an upstream there', () => {
  const event = {
    ...exchangeAt(200, { path: `/${inbox}`, body: '{"data":{"task_id":"task_1"}}' }),
    label: 'event 1',
  };
  const made = exchangeAt(0, { path: '/api/v1/tasks', answer: '{"task_id":"task_1"}', body: `[${marker}]` });
  const receiver = [arrivalAt(200)];
  expect(story({ exchange: event }, around([made], { receiver })).moment).toEqual({
    ...{ at_ms: 200, lane: 'receiver', row: 0 },
  });
  const marked = new Map([
    [marker, new Map([1, 2].map((n) => [`one ${n}`, entryAt(n, 1_000 + n, `{"try":${n}}`)] as const))],
  ]);
  const finding = { exchange: made, upstream: '{"try":1}' };
  const upstream = [entryAt(1, 1_001), entryAt(2, 1_002)];
  expect(story(finding, around([made], { upstream, marked })).moment).toEqual({
    at_ms: 1,
    lane: 'upstream',
    row: 0,
  });
});

it('names the moment of the comparison where no single request shows it, and what no lane could see', () => {
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

it('keeps it small: the nearest requests, and how many more there were', () => {
  const many = Array.from({ length: 500 }, (_, at) =>
    exchangeAt(10 * at, { body: at % 2 === 0 ? `[${marker}]` : '', label: 'x'.repeat(500) }),
  );
  const shown = many[250];
  const timeline = story(shown === undefined ? {} : { exchange: shown }, around(many));
  expect(timeline.client.rows.length + (timeline.client.left_out ?? 0)).toBe(500);
  expect(timeline.client.rows.length).toBeLessThanOrEqual(30);
  expect(timeline.client.rows.map(({ from_ms: from }) => from)).toContain(2_500);
  expect(JSON.stringify(timeline).length).toBeLessThan(16_000);
});
