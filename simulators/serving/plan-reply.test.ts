import { expect, it } from 'vitest';
import type { Reply } from '../control/protocol.ts';
import type { Behaviour } from '../control/scenario.ts';
import { RequestFacts } from '../requests/request-facts.ts';
import { Tenant } from '../state/tenant.ts';
import { planReply } from './plan-reply.ts';

const head = { target: '/v1/messages', path: '/v1/messages', query: new URLSearchParams(), headers: [] };

function tenantThat(says: Reply | null, behaviour: Behaviour | null): Tenant {
  const tenant = new Tenant('a');
  if (says !== null) tenant.scripts.add({ replies: [says] });
  if (behaviour !== null) tenant.playScenario({ name: 'test', channels: { '*': behaviour } });
  return tenant;
}

const plan = (tenant: Tenant) => planReply(tenant, new RequestFacts(head, 'alpha', Buffer.from('{}')), 0);
const disturbed = (said: Reply | null, reply: Reply): Reply => {
  const tenant = tenantThat(said, null);
  tenant.faultRules.add({ reply }, 0);
  return plan(tenant).reply;
};

it('replaces content by a raw answer, and keeps the other members', () => {
  const said: Reply = { text: 'a', deltas: ['a'], finish: 'stop', model: 'm', gates: ['head'] };
  expect(disturbed(said, { status: 503 })).toEqual({ gates: ['head'], status: 503 });
});

it('replaces a raw answer by content', () => {
  expect(disturbed({ status: 503, body: 'no', headers: { a: 'b' } }, { text: 'yes' })).toEqual({
    headers: { a: 'b' },
    text: 'yes',
  });
});

it('adds a failure to any reply', () => {
  const cut = { after: 'head', by: 'rst' } as const;
  expect(disturbed({ text: 'a', model: 'm' }, { cut })).toEqual({ text: 'a', model: 'm', cut });
  expect(disturbed({ status: 500 }, { cut })).toEqual({ status: 500, cut });
  expect(disturbed(null, { cut })).toEqual({ cut });
});

it('replaces everything by a recording, and replaces a raw answer by a fault', () => {
  const replay = { chunks: [], ended: 'fin', ended_at_ms: 0 } as const;
  expect(disturbed({ text: 'a', gates: ['head'] }, { replay: { ...replay, chunks: [] } })).toEqual({
    gates: ['head'],
    replay,
  });
  const fault = { id: 'H6' };
  expect(disturbed({ status: 500, headers: { a: 'b' } }, { fault })).toEqual({ headers: { a: 'b' }, fault });
  expect(disturbed({ replay: { ...replay, chunks: [] } }, { fault })).toEqual({ fault });
  expect(disturbed({ fault }, { status: 500 })).toEqual({ status: 500 });
});

it.each<[string, Reply]>([
  ['a status', { status: 429 }],
  ['a body', { body: 'a' }],
  ['a hang', { hang: 0 }],
  ['a cut', { cut: { after: 'head', by: 'fin' } }],
  ['a fault', { fault: { id: 'H6' } }],
])('does not ask the scenario when the script has %s of its own', (_, said) => {
  const tenant = tenantThat(said, { flapping: { ok: 1, failing: 1, reply: { status: 500 } } });
  expect(plan(tenant)).toMatchObject({ reply: said, disturbedBy: null });
  // The earlier request was not even counted: this one is the first of the scenario.
  tenant.scripts.remove('script-1');
  expect([plan(tenant), plan(tenant)].map(({ disturbedBy }) => disturbedBy)).toEqual([null, 'flapping']);
});

it('prefers the latency of the reply over that of the scenario', () => {
  const latency = { first_ms: 500, each_ms: 5 };
  expect(plan(tenantThat(null, { latency })).pace.dueMs(2)).toBe(510);
  expect(plan(tenantThat({ pacing: { first_ms: 9 } }, { latency })).pace.dueMs(2)).toBe(9);
  expect(plan(tenantThat(null, null)).pace.dueMs(2)).toBe(0);
});

it('counts each route for itself, and from 1 again after a reset', () => {
  const tenant = tenantThat(null, null);
  const nth = (channel: string): number =>
    planReply(tenant, new RequestFacts(head, channel, Buffer.alloc(0)), 0).draws.of.nth;
  expect([nth('alpha'), nth('alpha'), nth('beta')]).toEqual([1, 2, 1]);
  tenant.reset();
  expect([nth('alpha'), nth('beta')]).toEqual([1, 1]);
});
