import { expect, it } from 'vitest';
import type { Script } from '../control/protocol.ts';
import { RequestFacts } from '../requests/request-facts.ts';
import { Tenant } from './tenant.ts';

const texts = (...replies: string[]): Pick<Script, 'replies'> => ({
  replies: replies.map((text) => ({ text })),
});

function answers(tenant: Tenant, times: number, body = '', channel = 'alpha'): (string | null)[] {
  const head = { target: '/', path: '/', query: new URLSearchParams(), headers: [] };
  const request = new RequestFacts(head, channel, Buffer.from(body));
  return Array.from({ length: times }, () => tenant.scripts.take(request)?.reply.text ?? null);
}

it('generates answers after the last reply if scripted, instead of using an older script', () => {
  const tenant = new Tenant('a');
  tenant.scripts.add(texts('older'));
  // biome-ignore lint/suspicious/noThenProperty: a word of the control API
  tenant.scripts.add({ ...texts('one'), then: 'default' });
  expect(answers(tenant, 3)).toEqual(['one', null, null]);
});

it('tries the newest script first, and continues with the older one after its removal', () => {
  const tenant = new Tenant('a');
  tenant.scripts.add(texts('older 1', 'older 2'));
  const newer = tenant.scripts.add(texts('newer'));
  expect(answers(tenant, 1)).toEqual(['newer']);
  expect(tenant.scripts.remove(String(newer))).toBe(true);
  expect(tenant.scripts.remove(String(newer))).toBe(false);
  expect(answers(tenant, 2)).toEqual(['older 1', 'older 2']);
});

it('holds a limited number of scripts', () => {
  const tenant = new Tenant('a');
  const armed = Array.from({ length: 1001 }, () => tenant.scripts.add(texts('x')));
  expect(armed.filter((id) => id === null)).toHaveLength(1);
});

it('starts a new generation only with a reset', () => {
  const tenant = new Tenant('a');
  const { generation } = tenant;
  tenant.scripts.add(texts('x'));
  expect(tenant.generation).toBe(generation);
  tenant.reset();
  expect(tenant.generation).not.toBe(generation);
});
