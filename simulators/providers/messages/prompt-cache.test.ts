import { describe, expect, it } from 'vitest';
import type { CacheTtl, PromptBlock } from './prompt-blocks.ts';
import { PromptCache } from './prompt-cache.ts';

const minuteMs = 60_000;
const min = 1024;

/** Blocks of 1000 tokens: `a` has no cache hint, `a!` one for 5 minutes, `a+` one for an hour. */
function blocks(...names: string[]): PromptBlock[] {
  const ttls: Record<string, CacheTtl> = { '!': '5m', '+': '1h' };
  return names.map((name) => ({
    part: 'messages',
    text: name.charAt(0),
    tokens: 1000,
    ttl: ttls[name.charAt(1)] ?? null,
  }));
}

interface Asking {
  readonly at?: number;
  readonly scope?: string;
}

function asker(cache = new PromptCache()): (names: string, asking?: Asking) => number[] {
  return (names, { at = 0, scope = 's' } = {}) => {
    const { read, written5m, written1h } = cache.use(scope, blocks(...names.split(' ')), min, at);
    return [read, written5m, written1h];
  };
}

describe('the prompt cache', () => {
  it('is neither read nor written without a cache hint', () => {
    const ask = asker();
    expect(ask('a b c')).toEqual([0, 0, 0]);
    ask('a b! c');
    expect(ask('a b c')).toEqual([0, 0, 0]);
  });

  it('is written up to the last hint, and read on the second call', () => {
    const ask = asker();
    expect(ask('a b! c')).toEqual([0, 2000, 0]);
    expect(ask('a b! c')).toEqual([2000, 0, 0]);
    expect(ask('a b! d')).toEqual([2000, 0, 0]);
    expect(ask('a x! c')).toEqual([0, 2000, 0]);
  });

  it('keeps no prefix below the minimum, to the token', () => {
    const cache = new PromptCache();
    const prompt = (tokens: number): PromptBlock[] => [{ part: 'system', text: 'a', tokens, ttl: '5m' }];
    expect(cache.use('s', prompt(1023), min, 0).written5m).toBe(0);
    expect(cache.use('s', prompt(1024), min, 0).written5m).toBe(1024);
    expect(cache.use('other', prompt(2047), 2048, 0).written5m).toBe(0);
  });

  it('reads a shorter prefix for a longer prompt and writes only the rest', () => {
    const ask = asker();
    ask('a b!');
    expect(ask('a b c d! e')).toEqual([2000, 2000, 0]);
    expect(ask('a b c d! e')).toEqual([4000, 0, 0]);
  });

  it('looks back over twenty blocks from a hint and no further', () => {
    const longer = (count: number): string =>
      ['a', 'b', ...Array.from({ length: count }, (_, at) => String.fromCharCode(100 + at))].join(' ');
    const ask = asker();
    ask('a b!');
    expect(ask(`${longer(19)}!`)[0]).toBe(2000);
    const other = asker();
    other('a b!');
    expect(other(`${longer(20)}!`)[0]).toBe(0);
  });

  it('stores each section for the time of the hint at its end', () => {
    const ask = asker();
    expect(ask('a b+ c d! e')).toEqual([0, 2000, 2000]);
    expect(ask('a b+ x y!')).toEqual([2000, 2000, 0]);
  });

  it('still has the hour prefix after the longer one expired', () => {
    const ask = asker();
    ask('a b+ c!');
    expect(ask('a b+ c!', { at: 5 * minuteMs })).toEqual([2000, 1000, 0]);
  });

  it('has a limit, and drops the least recently used entry', () => {
    const ask = asker();
    ask('a b!');
    ask('c d!');
    for (let n = 0; n < 998; n += 1) ask('a b!', { scope: String(n) });
    expect(ask('a b!')[0]).toBe(2000);
    ask('a b!', { scope: 'one more' });
    expect(ask('a b!')[0]).toBe(2000);
    expect(ask('c d!')[0]).toBe(0);
  });
});
