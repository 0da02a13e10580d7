import { expect, it } from 'vitest';
import { GatewayError } from '../errors/gateway-error.ts';
import { judgeCurrently } from './current-caller.ts';

const secret = 'sk-app-any';

/** A directory that is current or stale, with a key that is known, unknown, or known only after a lookup. */
function keysOf({ isFresh = true, isKnown = false, comesByLook = false, isOut = false }) {
  let known = isKnown;
  const seen: string[] = [];
  const directory = {
    isFresh,
    look: async () => {
      seen.push('look');
      if (isOut) throw new Error('out');
      known ||= comesByLook;
    },
  };
  const judge = (): string => {
    seen.push('judge');
    if (!known) throw new GatewayError('invalid_api_key');
    return 'let in';
  };
  return { seen, ask: async (key: string | null = secret) => judgeCurrently(key, directory, judge) };
}

it('accepts a known key without a database lookup', async () => {
  const { ask, seen } = keysOf({ isKnown: true });
  expect([await ask(), seen]).toEqual(['let in', ['judge']]);
});

it('looks a key up once in the database before it rejects it', async () => {
  const late = keysOf({ comesByLook: true });
  expect([await late.ask(), late.seen]).toEqual(['let in', ['judge', 'look', 'judge']]);
  const never = keysOf({});
  await expect(never.ask()).rejects.toThrow(GatewayError);
  expect(never.seen).toEqual(['judge', 'look', 'judge']);
});

it('does not look for what cannot be a key', async () => {
  for (const text of [null, 'sk-other']) {
    const { ask, seen } = keysOf({});
    await expect(ask(text)).rejects.toThrow(GatewayError);
    expect(seen).toEqual(['judge']);
  }
});

it('refreshes a stale directory before it accepts a key, and fails if it cannot', async () => {
  const silent = keysOf({ isFresh: false, isKnown: true });
  expect([await silent.ask(), silent.seen]).toEqual(['let in', ['look', 'judge']]);
  await expect(keysOf({ isFresh: false, isKnown: true, isOut: true }).ask()).rejects.toThrow('out');
});

it('rejects an unknown key when the database does not answer', async () => {
  await expect(keysOf({ isOut: true }).ask()).rejects.toThrow(GatewayError);
});
