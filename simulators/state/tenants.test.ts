import { expect, it } from 'vitest';
import { SentHeaders } from '../http/sent-headers.ts';
import { Tenants } from './tenants.ts';

const arrival = { channel: 'alpha', method: 'POST', path: '/', headers: new SentHeaders([]), atMs: 1 };

/** The maximum of tenants, all in use. */
function full(): Tenants {
  const tenants = new Tenants();
  for (let at = 0; at < 4096; at += 1) tenants.find(`lane-${at}`)?.scripts.add({ replies: [{ text: 'x' }] });
  return tenants;
}

it('the number of tenants is limited', () => {
  const tenants = full();
  expect(tenants.find('one-more')).toBeNull();
  expect(tenants.find('lane-7')).toBe(tenants.find('lane-7'));
});

it('a new tenant replaces one that was reset, and numbers continue', () => {
  const tenants = full();
  const old = tenants.find('lane-7');
  old?.journal.open(arrival);
  old?.reset();
  const tenant = tenants.find('one-more');
  expect(tenant?.name).toBe('one-more');
  expect(tenant?.journal.open(arrival).n).toBe(2);
  expect(tenants.find('lane-7')).toBeNull();
});

it('a tenant that was reset stays while a query waits for its journal', () => {
  const tenants = full();
  const tenant = tenants.find('lane-7');
  const unwatch = tenant?.journal.watch(() => {});
  tenant?.reset();
  expect(tenants.find('one-more')).toBeNull();
  unwatch?.();
  expect(tenants.find('one-more')).not.toBeNull();
});
