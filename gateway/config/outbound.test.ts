import { expect, it } from 'vitest';
import { allowedHosts, outbound, resolverAnswers } from './outbound.ts';

it.for(['127.0.0.1:8443', '[::1]:443', 'hooks.test:80', 'localhost:9443', 'receiver:1'])(
  'accepts %j as an allowed host',
  (place) => {
    expect(allowedHosts.parse([place])).toEqual([place]);
  },
);

it.for([
  '127.0.0.1',
  '127.1:8443',
  'LOCALHOST:1',
  'https://hooks.test:443',
  'hooks.test:443/',
  'a@b.test:1',
  '*:443',
  ':443',
  'hooks.test:99999',
  '[0::1]:443',
  '',
])('rejects %j as an allowed host: no URL has this form', (place) => {
  expect(allowedHosts.safeParse([place]).error?.issues[0]?.path).toEqual([0]);
});

it('accepts given ports, and defaults to 443 and 8443', () => {
  expect(outbound.parse({})).toEqual({ ports: [443, 8443], own_networks: [] });
  expect(outbound.parse({ ports: [9443] })).toMatchObject({ ports: [9443] });
  for (const ports of [[0], [65_536], ['443'], 443])
    expect(outbound.safeParse({ ports }).success).toBe(false);
  expect(outbound.parse({ own_networks: ['8.8.8.0/24'] }).own_networks).toEqual(['8.8.8.0/24']);
  expect(outbound.safeParse({ own_networks: ['8.8.8.8'] }).success).toBe(false);
  expect(outbound.safeParse({ hosts: [] }).success).toBe(false);
});

it('accepts a list of answers per name, one for each lookup', () => {
  const script = { 'hooks.test': [['93.184.215.14', '::1'], ['127.0.0.1'], []] };
  expect(resolverAnswers.parse(script)).toEqual(script);
  for (const wrong of [
    { a: [] },
    { a: ['127.0.0.1'] },
    { a: [['localhost']] },
    { a: [['127.0.0.1:80']] },
    [],
  ])
    expect(resolverAnswers.safeParse(wrong).success).toBe(false);
});
