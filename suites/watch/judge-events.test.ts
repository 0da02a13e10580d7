import { describe, expect, it } from 'vitest';
import { eventHeaders } from '../oracle/webhooks/sign.ts';
import { type Sample, watched } from './testing/passing.ts';

const secret = 'whsec_c2VjcmV0LW9mLXRoZS1hY2NvdW50LW9mLWsx';
const other = 'whsec_YW5vdGhlci1zZWNyZXQtdGhhdC1ub2JvZHktaGFz';
const profile = { webhooks: { secret } };

const at = Date.parse('2026-11-26T05:00:00Z');
const paid = { authorization: 'Bearer sk-app-of-k1' };
const dated = { date: new Date(at).toUTCString() };
const task = { task_id: 'task-1', submit_time: new Date(at).toISOString() };
const urls = ['https://files.example/1.mp4'];

const submitted = (more: object = { webhook_url: 'https://shop.example/hooks?of=me' }): Sample => ({
  ...{ path: '/api/v1/tasks', headers: paid, answered: dated, at },
  body: { model: 'vidB2', prompt: 'A quiet sea.', ...more },
  answer: { ...task, status: 'QUEUED' },
});

const read = (status: string, readAt: number): Sample => ({
  ...{ method: 'GET', path: '/api/v1/tasks/task-1', headers: paid, answered: dated, at: readAt },
  answer: { ...task, status, ...(status === 'SUCCESS' ? { result_urls: urls, duration_sec: 5 } : {}) },
});

interface Told {
  readonly id?: string;
  readonly said?: object;
  readonly sentAt?: number;
  readonly signedWith?: string;
  readonly path?: string;
  readonly status?: number;
  readonly without?: string;
  readonly spoiled?: boolean;
}

/** An event of the task, 4 s after its submission. */
function event(told: Told = {}, arrivedAt = at + 4_000): Sample {
  const { id = 'evt-1', said = { status: 'SUCCESS', result_urls: urls }, sentAt = arrivedAt } = told;
  const body = JSON.stringify({ type: 'task.done', data: { task_id: 'task-1', ...said } });
  const timestamp = String(Math.floor(sentAt / 1_000));
  const signed = eventHeaders([told.signedWith ?? secret], { id, timestamp, body: Buffer.from(body) });
  return {
    ...{ path: told.path ?? '/hooks?of=me', status: told.status ?? 200, at: arrivedAt, answer: '' },
    headers: Object.fromEntries(signed.filter(([name]) => name !== told.without)),
    body: told.spoiled === true ? body.replace('task.done', 'task.end') : body,
  };
}

const broken = async (samples: readonly Sample[], declared: object | null = profile): Promise<string[]> =>
  (await watched(samples, declared)).broken;

const whole = [submitted(), read('RUNNING', at + 2_000), event(), read('SUCCESS', at + 5_000)];

describe('events in passing traffic', () => {
  it('pass when they are right', async () => {
    const { broken: found, report } = await watched(whole, profile);
    expect(found).toEqual([]);
    const verdicts = Object.fromEntries(report.checks.map(({ id, verdict }) => [id, verdict]));
    expect(verdicts).toMatchObject({
      ...{ 'watch.events': 'pass', 'watch.event-signatures': 'pass' },
      ...{ 'watch.event-urls': 'pass', 'watch.event-order': 'pass' },
    });
  });

  it.each<[string, readonly Sample[], string]>([
    ['a wrong secret', [event({ signedWith: other })], 'signatures HOOK-007 verifies'],
    ['a changed body', [event({ spoiled: true })], 'signatures HOOK-007 verifies'],
    ['no signature', [event({ without: 'webhook-signature' })], 'events HOOK-007 signed'],
    ['no time', [event({ without: 'x-service-timestamp' })], 'events HOOK-008 timestamp-header'],
    ['an old time', [submitted(), event({ sentAt: at - 900_000 })], 'events HOOK-009 time-of-sending'],
    [
      'the old time when repeated',
      [event({ status: 500 }), event({ sentAt: at + 4_000 }, at + 124_000)],
      'events HOOK-009 renewed',
    ],
    ['a state that is no end', [event({ said: { status: 'RUNNING' } })], 'events HOOK-003 not-before-end'],
    ['two events of an end', [event(), event({ id: 'evt-2' })], 'events HOOK-004 one-event'],
    [
      'another content when repeated',
      [event({ status: 500 }), event({ said: { status: 'FAILED' } }, at + 9_000)],
      'events HOOK-004 same-event',
    ],
    [
      'another state than was read before',
      [read('SUCCESS', at + 3_000), event({ said: { status: 'FAILED' } })],
      'events HOOK-013 status',
    ],
    [
      'another state than is read afterwards',
      [event({ said: { status: 'FAILED' } }), read('SUCCESS', at + 5_000)],
      'eventOrder HOOK-013 status',
    ],
    [
      'other results than are read afterwards',
      [
        event({ said: { status: 'SUCCESS', result_urls: ['https://files.example/2.mp4'] } }),
        read('SUCCESS', at + 5_000),
      ],
      'eventOrder HOOK-013 record',
    ],
    [
      'a read that is behind',
      [event(), read('RUNNING', at + 5_000)],
      'eventOrder HOOK-012 readable-at-event',
    ],
    ['another address', [submitted(), event({ path: '/hooks?of=all' })], 'eventUrls HOOK-005 exact-target'],
    ['an event that nobody asked for', [submitted({}), event()], 'eventUrls HOOK-002 none-unasked'],
  ])('%s is named', async (_, samples, rule) => {
    expect(await broken(samples)).toContain(rule);
  });

  it.each<[string, readonly Sample[]]>([
    ['an event that is repeated because it was not taken', [event({ status: 503 }), event({}, at + 300_000)]],
    ['one that is repeated although it was taken', [event(), event({}, at + 9_000)]],
    ['a read that was under way', [event(), read('RUNNING', at + 3_999)]],
    ['a path of which a proxy took the beginning', [submitted(), event({ path: '/?of=me' })]],
    [
      'a time by another clock',
      [
        { ...submitted(), answered: { date: new Date(at - 900_000).toUTCString() } },
        event({ sentAt: at - 900_000 }),
      ],
    ],
    ['what somebody else posts', [{ path: '/hooks', body: { order: 7 }, at }]],
  ])('nothing is said of %s', async (_, samples) => {
    expect(await broken(samples)).toEqual([]);
  });

  it('are judged except for their signature when the account’s secret is not declared', async () => {
    const strange = { ...submitted(), headers: { authorization: 'Bearer sk-app-of-another' } };
    expect(await broken([strange, event({ signedWith: other })])).toEqual([]);
    expect(await broken([event({ signedWith: other })], null)).toEqual([]);
    const tenants = [{ name: 'one', keys: { K1: 'sk-app-of-another' }, webhook_secret: other }];
    expect(await broken([strange, event({ signedWith: other })], { tenants })).toEqual([]);
    expect(await broken([strange, event()], { tenants })).toEqual(['signatures HOOK-007 verifies']);
  });

  it('cause a warning for ignored advice, and name what is missing', async () => {
    const twice = (await watched([event(), event({ id: 'evt-2' })], null)).report;
    expect(twice.checks.find(({ id }) => id === 'watch.events')?.verdict).toBe('warn');
    expect(twice.exit_code).toBe(0);
    const signatures = twice.checks.find(({ id }) => id === 'watch.event-signatures');
    expect(signatures?.evidence.missing).toEqual([
      'webhooks.secret',
      expect.stringContaining('traffic: an event'),
    ]);
  });

  it('never show a secret, a signed text or a receiver’s key in a report', async () => {
    const secretPath = event({ signedWith: other, path: '/hooks?token=of-the-receiver' });
    const { report } = await watched([secretPath], profile);
    const text = JSON.stringify(report);
    expect(text).toContain('HOOK-007');
    for (const hidden of [secret, other, 'of-the-receiver']) expect(text).not.toContain(hidden);
  });
});
