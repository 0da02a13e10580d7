import { expect, it } from 'vitest';
import { createTestClock } from '../clock.ts';
import { SentHeaders } from '../http/sent-headers.ts';
import { awaitJournal, Journal } from './journal.ts';
import type { JournalRecord } from './journal-record.ts';
import { JournalSpace } from './journal-space.ts';
import { Redaction } from './redaction.ts';

const arrival = { channel: 'alpha', method: 'POST', path: '/', headers: new SentHeaders([]), atMs: 1 };
const never = new AbortController().signal;

function arrive(journal: Journal, body: string): JournalRecord {
  const record = journal.open(arrival);
  record.received(Buffer.from(body));
  record.receivedAll();
  return record;
}

it('drops the oldest entries over its limit, and reports how many', () => {
  const journal = new Journal('a', { entries: 2, bodyBytes: 100 });
  for (const body of ['one', 'two', 'three']) arrive(journal, body);
  const { entries, dropped } = journal.read({});
  expect(entries.map(({ n }) => n)).toEqual([2, 3]);
  expect(dropped).toBe(1);
});

it('shows the requested number of body bytes, and never a part of a key', () => {
  const redaction = new Redaction();
  redaction.add('sk-never-shown');
  const journal = new Journal('a', undefined, redaction);
  const record = arrive(journal, 'key sk-never-shown');
  for (const text of ['one ', 'two'])
    record.sent({ label: 'body', intended_ms: 1, actual_ms: 1, bytes: text.length }, Buffer.from(text));
  const bodiesOf = (most?: number): string[] =>
    journal
      .read(most === undefined ? {} : { body_bytes: most })
      .entries.flatMap(({ request, reply }) => [request.body_base64, reply.body_base64])
      .map((body) => Buffer.from(body, 'base64').toString());
  expect(bodiesOf()[1]).toBe('one two');
  expect(bodiesOf(6)[1]).toBe('one tw');
  expect(bodiesOf(9)[0]).not.toContain('sk-n');
  expect(bodiesOf(0)).toEqual(['', '']);
});

it('shows bodies as text to a reader, and those that are no text in base64', () => {
  const journal = new Journal('a');
  const record = arrive(journal, '{"a":"é"}');
  record.sent({ label: 'body', intended_ms: 1, actual_ms: 1, bytes: 2 }, Buffer.from([0x1f, 0x8b]));
  const [entry] = journal.read({ bodies: 'text' }).entries;
  expect(entry?.request).toMatchObject({ body_base64: '', body_text: '{"a":"é"}' });
  expect(entry?.reply.body_base64).toBe('H4s=');
  expect(entry?.reply).not.toHaveProperty('body_text');
});

it('counts the bytes of both bodies towards its limit, but keeps the newest entry', () => {
  const journal = new Journal('a', { entries: 10, bodyBytes: 100 });
  arrive(journal, 'x'.repeat(60));
  const record = arrive(journal, 'y'.repeat(30));
  expect(journal.read({}).entries).toHaveLength(2);
  record.sent({ label: 'body', intended_ms: 1, actual_ms: 1, bytes: 500 }, Buffer.alloc(500));
  expect(journal.read({}).entries.map(({ n }) => n)).toEqual([2]);
  arrive(journal, 'z');
  expect(journal.read({})).toMatchObject({ entries: [{ n: 3 }], dropped: 2 });
});

it('shares a limit with other tenants: the largest journal drops its oldest entries', () => {
  const space = new JournalSpace(100_000);
  const [one, other] = [
    new Journal('a', undefined, undefined, space),
    new Journal('b', undefined, undefined, space),
  ];
  arrive(one, 'x'.repeat(40_000));
  for (const size of [10_000, 20_000, 15_000]) arrive(other, 'y'.repeat(size));
  expect([one.read({}).dropped, other.read({}).dropped]).toEqual([0, 0]);
  arrive(one, 'z'.repeat(20_000));
  expect(one.read({})).toMatchObject({ entries: [{ n: 2 }], dropped: 1 });
  expect(other.read({}).entries).toHaveLength(3);
  other.clear();
  arrive(one, 'x'.repeat(60_000));
  expect(one.read({}).entries).toHaveLength(2);
});

it('counts the heads and writes of an entry towards the shared limit', () => {
  const space = new JournalSpace(50_000);
  const journal = new Journal('a', undefined, undefined, space);
  const header: [string, string] = ['x-long', 'v'.repeat(20_000)];
  for (let at = 0; at < 3; at += 1) journal.open({ ...arrival, headers: new SentHeaders(header) });
  expect(journal.read({}).dropped).toBe(1);
  const record = journal.open(arrival);
  for (let at = 0; at < 200; at += 1) {
    record.sent({ label: 'body', intended_ms: 1, actual_ms: 1, bytes: 0 }, Buffer.alloc(0));
  }
  expect(journal.read({}).entries.map(({ n }) => n)).toEqual([4]);
});

it('does not count a body that is still arriving', () => {
  const journal = new Journal('a');
  const record = journal.open(arrival);
  record.received(Buffer.from('mark'));
  expect(journal.read({ requests: 1 }).satisfied).toBe(false);
  expect(journal.read({ marker: 'mark' }).entries).toEqual([]);
  record.receivedAll();
  expect(journal.read({ marker: 'mark', requests: 1 }).satisfied).toBe(true);
});

it('answers a query that timed out with the existing entries', async () => {
  const journal = new Journal('a');
  const clock = createTestClock();
  const waiting = awaitJournal(journal, { requests: 2, timeout_ms: 60_000 }, clock, never);
  arrive(journal, '');
  await clock.advance(60_000);
  expect(await waiting).toMatchObject({ satisfied: false, entries: [{ n: 1 }] });
});
