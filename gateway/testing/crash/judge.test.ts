import { beforeEach, describe, expect, it } from 'vitest';
import { formatUsd, parseUsd } from '../../money/pico.ts';
import { auditGrant } from './audit-config.ts';
import type { Evidence } from './evidence.ts';
import { judge } from './judge.ts';
import { Sightings } from './sightings.ts';
import { answeredWays, taskWays, type Way } from './ways.ts';

/** Evidence that tests may corrupt. */
type Spoilt<Part> = Part extends Map<unknown, unknown> | Sightings
  ? Part
  : Part extends ReadonlyMap<infer Key, infer Value>
    ? Map<Key, Value>
    : Part extends readonly (infer Row)[]
      ? Spoilt<Row>[]
      : Part extends object
        ? { -readonly [Name in keyof Part]: Spoilt<Part[Name]> }
        : Part;

/** An audit without violations: chat 1 and task 2 of ann, and a kill at 1,000 ms. */
type Books = Spoilt<Evidence>;

let books: Books;
const [chat, video] = [answeredWays[0], taskWays[0]] as [Way, Way];
const charges = [chat.cost(1), video.cost(2)] as const;

beforeEach(() => {
  const sightings = new Sightings();
  const answer = (n: number, way: Way, more: object): unknown =>
    Object.assign(
      sightings.begin({ n, user: 'ann', way, gateway: 1 }),
      { askedAtMs: 900, answeredAtMs: 950, calls: 1 },
      more,
    );
  answer(1, chat, { requestId: 'req_1' });
  answer(2, video, { requestId: 'req_2', taskId: 'task_2' });
  const record = { account_id: 'north', outcome: 'success', ended_at: '2026-11-25T22:00:00Z' };
  const arrival = { n: 2, eventId: 'evt_2', text: '{}', status: 204 };
  sightings.arrivals.push(
    { ...arrival, atMs: 990, answeredAtMs: 995 },
    { ...arrival, atMs: 1_500, answeredAtMs: 1_501 },
  );
  const posted = (parseUsd(auditGrant) ?? 0n) - charges[0] - charges[1];
  books = {
    sightings,
    shots: [{ kill: 1, aim: 'at random', gateway: 1, n: null, atMs: 1_000, untilMs: 1_000 }],
    admin: {
      records: [
        {
          ...record,
          request_id: 'req_1',
          model_served: chat.model,
          completion_tokens: 1_001,
          task_id: null,
          charge: formatUsd(charges[0]),
        },
        {
          ...record,
          request_id: 'req_2',
          model_served: video.model,
          completion_tokens: 0,
          task_id: 'task_2',
          charge: formatUsd(charges[1]),
        },
      ],
      tasks: [
        { task_id: 'task_2', status: 'SUCCESS', account_id: 'north', model: video.model, result_urls: [] },
      ],
      events: [{ event_id: 'evt_2', task_id: 'task_2', type: 'task.success', state: 'delivered' }],
      slots: [],
      balances: new Map([['north', { posted, held: 0n }]]),
    },
    stored: { entries: '0', openHolds: 0n, holdsWithoutEnd: 0n, wrongCharges: 0n, leases: 0n },
    jobs: [{ taskId: 'task_2', n: 2 }],
    mostInFlight: new Map([['ann', ['1', '2', '3']]]),
  };
});

const again = <Row>(rows: Row[], at: number, changes: Partial<Row>): unknown =>
  rows.push({ ...(rows[at] as Row), ...changes });
const found = (): string[] => judge(books).map(({ what }) => what);

it('reports no violation for an event repeated after a kill', () => {
  expect(judge(books)).toEqual([]);
});

it('reports a task that failed without a job, unless its caller was not told of it while the database was slow', () => {
  const failed = { task_id: 'task_3', status: 'FAILED' };
  again(books.admin.tasks, 0, failed);
  again(books.admin.events, 0, { task_id: 'task_3' });
  expect(found()).toEqual(expect.arrayContaining(['task_3 is FAILED', 'task_3 has no job']));
  const refused = books.sightings.begin({ n: 3, user: 'ann', way: video, gateway: 1 });
  refused.isShaken = true;
  expect(found().filter((what) => what.startsWith('task_3'))).toEqual([]);
  refused.taskId = 'task_3';
  expect(found()).toEqual(expect.arrayContaining(['task_3 is FAILED', 'task_3 has no job']));
});

describe('reports', () => {
  it.for<readonly [string, (to: Books) => unknown, RegExp]>([
    ['an answer without a record', (to) => to.admin.records.shift(), /number 1 .* has 0 records/],
    ['a task that is lost', (to) => to.admin.tasks.pop(), /taken on as task_2, and is no task/],
    ['a record twice', (to) => again(to.admin.records, 0, { request_id: 'req_9' }), /number 1 has 2 records/],
    [
      'a task charged twice',
      (to) => again(to.admin.records, 1, { request_id: 'req_9' }),
      /task_2 has 2 records/,
    ],
    [
      'a wrong price',
      (to) => Object.assign(to.admin.records[0] ?? {}, { charge: '0.1' }),
      /number 1 .* is charged 0.1/,
    ],
    [
      'a failure on record',
      (to) => Object.assign(to.admin.records[0] ?? {}, { outcome: 'internal_error' }),
      /on record as internal_error/,
    ],
    [
      'a record for nothing',
      (to) => Object.assign(to.admin.records[0] ?? {}, { completion_tokens: 5_000 }),
      /on record for nothing/,
    ],
    [
      'the wrong account',
      (to) => Object.assign(to.admin.records[0] ?? {}, { account_id: 'south' }),
      /on record for nothing/,
    ],
    [
      'a task without end',
      (to) => Object.assign(to.admin.tasks[0] ?? {}, { status: 'RUNNING' }),
      /task_2 is RUNNING/,
    ],
    [
      'a task that failed',
      (to) => Object.assign(to.admin.tasks[0] ?? {}, { status: 'FAILED' }),
      /task_2 is FAILED/,
    ],
    ['a job twice', (to) => to.jobs.push({ taskId: 'task_2', n: 2 }), /task_2 has 2 jobs/],
    [
      'a job of no task',
      (to) => to.jobs.push({ taskId: 'task_9', n: 9 }),
      /task_9 has a job, and is no task/,
    ],
    [
      'a third call',
      (to) => Object.assign(to.sightings.all.get(1) ?? {}, { calls: 3 }),
      /sent to its upstream 3 times/,
    ],
    ['more calls than the cap', (to) => to.mostInFlight.set('ann', ['1', '2', '3', '4']), /ann had 4 calls/],
    ['a hold that is left', (to) => Object.assign(to.stored, { openHolds: 1n }), /1 holds are left/],
    ['a hold without end', (to) => Object.assign(to.stored, { holdsWithoutEnd: 1n }), /no end, or two/],
    ['a charge that is no record’s', (to) => Object.assign(to.stored, { wrongCharges: 1n }), /charged twice/],
    ['money from nowhere', (to) => Object.assign(to.stored, { entries: '1' }), /all entries come to 1/],
    ['a lease that is left', (to) => Object.assign(to.stored, { leases: 1n }), /1 leases are left/],
    ['a slot that is left', (to) => to.admin.slots.push({}), /slots are left/],
    [
      'a balance that is wrong',
      (to) => to.admin.balances.set('north', { posted: 1n, held: 0n }),
      /north has 1 pico-USD/,
    ],
    ['an event that is lost', (to) => to.admin.events.pop(), /task_2 has 0 events/],
    ['an event that nobody got', (to) => to.sightings.arrivals.splice(0), /evt_2 never arrived/],
    [
      'an event that waits',
      (to) => Object.assign(to.admin.events[0] ?? {}, { state: 'pending' }),
      /evt_2 is pending/,
    ],
    [
      'an event under two ids',
      (to) => Object.assign(to.sightings.arrivals[1] ?? {}, { eventId: 'evt_3' }),
      /in 2 ways/,
    ],
    [
      'a repeat without a kill',
      (to) => Object.assign(to.shots[0] ?? {}, { atMs: 2_000 }),
      /evt_2 .* came again/,
    ],
    [
      'two repeats behind one kill',
      (to) => again(to.sightings.arrivals, 1, { atMs: 1_550 }),
      /evt_2 .* came again/,
    ],
  ])('%s', ([, spoil, words]) => {
    spoil(books);
    expect(found().join('\n')).toMatch(words);
  });

  it('no violation for a repeat after a rejection', () => {
    for (const arrival of books.sightings.arrivals) arrival.status = 503;
    books.shots.length = 0;
    expect(found()).toEqual([]);
  });

  it('the kill after which a violation was first seen', () => {
    books.admin.records.shift();
    expect(judge(books)[0]?.kill).toBe(1);
  });
});
