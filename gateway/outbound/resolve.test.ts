import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { startCanary } from '../testing/canary.ts';
import { type FakeNameserver, startNameserver } from '../testing/fake-nameserver.ts';
import { createOutbound } from './create-outbound.ts';
import { Unresolved } from './outbound.ts';
import { type Resolve, scriptedResolve, systemResolve } from './resolve.ts';

it('returns the address lists of a name in turn, and repeats the last', async () => {
  const resolve = scriptedResolve({
    'Hooks.Test': [['8.8.8.8'], ['127.0.0.1', '::1'], ['1.1.1.1']],
    'b.test': [['9.9.9.9']],
  });
  expect(await resolve('hooks.test')).toEqual(['8.8.8.8']);
  expect(await resolve('b.test')).toEqual(['9.9.9.9']);
  expect(await resolve('HOOKS.test.')).toEqual(['127.0.0.1', '::1']);
  expect(await resolve('hooks.test')).toEqual(['1.1.1.1']);
  expect(await resolve('hooks.test')).toEqual(['1.1.1.1']);
});

it('rejects other names, and names without an address', async () => {
  const resolve = scriptedResolve({ 'empty.test': [[]] });
  for (const name of ['example.com', 'localhost', 'empty.test', 'constructor', '__proto__'])
    await expect(resolve(name)).rejects.toThrow(Unresolved);
});

it('resolves localhost without a nameserver', async () => {
  for (const name of ['localhost', 'LOCALHOST.', 'a.localhost'])
    expect(await systemResolve()(name)).toEqual(['127.0.0.1', '::1']);
});

describe('names resolved by a nameserver', () => {
  let nameserver: FakeNameserver;
  let resolve: Resolve;
  beforeAll(async () => {
    nameserver = await startNameserver();
    resolve = systemResolve([nameserver.server]);
  });
  afterEach(() => {
    nameserver.names.clear();
    nameserver.asked.length = 0;
  });
  afterAll(() => nameserver.close());

  it('resolve to all addresses of both families, also through aliases', async () => {
    nameserver.names.set('a.example.com', ['93.184.215.14', '8.8.8.8', '2606:4700:4700::1111']);
    nameserver.names.set('four.example.com', ['93.184.215.14']);
    nameserver.names.set('six.example.com', ['2606:4700:4700::1111']);
    nameserver.names.set('alias.example.com', ['six.example.com']);
    const all = await resolve('A.example.com.');
    expect(all.toSorted()).toEqual(['2606:4700:4700::1111', '8.8.8.8', '93.184.215.14']);
    expect(await resolve('four.example.com')).toEqual(['93.184.215.14']);
    expect(await resolve('alias.example.com')).toEqual(['2606:4700:4700::1111']);
  });

  it('are queried as given, without search domains', async () => {
    await expect(resolve('nowhere.example.com')).rejects.toThrow(Unresolved);
    await expect(resolve('nowhere')).rejects.toThrow(Unresolved);
    expect(new Set(nameserver.asked)).toEqual(new Set(['nowhere.example.com', 'nowhere']));
  });

  it('fail when the nameserver fails, and are queried anew afterwards', async () => {
    nameserver.names.set('a.example.com', 'broken');
    await expect(resolve('a.example.com')).rejects.toThrow(Unresolved);
    nameserver.names.set('a.example.com', ['8.8.8.8']);
    expect(await resolve('a.example.com')).toEqual(['8.8.8.8']);
    // Nothing is cached, whatever the lifetime of an answer.
    nameserver.names.set('a.example.com', ['127.0.0.1']);
    expect(await resolve('a.example.com')).toEqual(['127.0.0.1']);
  });

  it('are blocked when one address is private, even through an alias', async () => {
    const canary = await startCanary();
    const { connect } = createOutbound({ ports: [], allowedHosts: [], resolve });
    nameserver.names.set('home.example.com', ['127.0.0.1']);
    nameserver.names.set('alias.example.com', ['home.example.com']);
    nameserver.names.set('mixed.example.com', ['93.184.215.14', '127.0.0.1']);
    nameserver.names.set('both.example.com', ['93.184.215.14', '::1']);
    for (const name of ['home', 'alias', 'mixed', 'both']) {
      const hostname = `${name}.example.com`;
      const to = { protocol: 'http:', hostname, host: hostname, port: String(canary.port) };
      const error = await new Promise((settle) => connect(to, (...[failed]) => settle(failed)));
      expect([name, error]).toMatchObject([name, { code: 'GATEWAY_BLOCKED' }]);
    }
    expect(canary.connections()).toBe(0);
    await canary.close();
  });
});
