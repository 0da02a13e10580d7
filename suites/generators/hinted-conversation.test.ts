import fc from 'fast-check';
import { expect, it } from 'vitest';
import { hintedConversation } from './hinted-conversation.ts';

interface Block {
  readonly type: string;
  readonly cache_control?: { readonly ttl?: string };
}

const drawn = fc.sample(hintedConversation(['seeing', 'blind'], ['seeing']), { numRuns: 300, seed: 1 });
const blocksOf = ({ turns }: (typeof drawn)[number]): Block[] =>
  turns.flatMap(({ content }) => (Array.isArray(content) ? (content as Block[]) : []));
const ttlsOf = (conversation: (typeof drawn)[number]): string[] =>
  blocksOf(conversation).flatMap(({ cache_control: hint }) => (hint ? [hint.ttl ?? 'none'] : []));

it('gives every conversation one to four hints, with one-hour hints first', () => {
  for (const conversation of drawn) {
    const ttls = ttlsOf(conversation);
    expect(ttls.length).toBeGreaterThanOrEqual(1);
    expect(ttls.length).toBeLessThanOrEqual(4);
    const hours = ttls.filter((ttl) => ttl === '1h').length;
    expect(ttls.slice(0, hours).every((ttl) => ttl === '1h')).toBe(true);
  }
});

it('draws hints of each lifetime, alone and together, on texts and on media', () => {
  expect(new Set(drawn.flatMap(ttlsOf))).toEqual(new Set(['1h', '5m', 'none']));
  expect(new Set(drawn.map((one) => ttlsOf(one).length)).size).toBe(4);
  const hintedTypes = drawn
    .flatMap(blocksOf)
    .flatMap(({ type, cache_control: hint }) => (hint ? [type] : []));
  expect(new Set(hintedTypes)).toEqual(new Set(['text', 'image_url']));
});

it('sends media only to models with vision', () => {
  const blind = drawn.filter(({ model }) => model === 'blind').flatMap(blocksOf);
  expect(blind.every(({ type }) => type === 'text')).toBe(true);
});
