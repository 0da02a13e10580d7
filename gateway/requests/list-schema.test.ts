import { expect, it } from 'vitest';
import { chatModels } from '../catalogue/chat-models.ts';
import { chatSchema } from './chat-schema.ts';
import { bodySchema } from './compat/generate-content/body-schema.ts';
import { messagesSchema } from './compat/messages/schema.ts';

const many = 50_000;

/** A list whose elements count how often they are read. */
function counted(element: object): { list: unknown[]; reads: () => number } {
  let reads = 0;
  const list = Array.from({ length: many }, () => element);
  const watched = new Proxy(list, {
    get: (target, name, receiver) => {
      if (typeof name === 'string' && /^\d+$/.test(name)) reads += 1;
      return Reflect.get(target, name, receiver);
    },
  });
  return { list: watched, reads: () => reads };
}

const said = (content: unknown) => ({ model: 'm', max_tokens: 5, messages: [{ role: 'user', content }] });
const hinted = chatSchema({ cache: true });
const plain = chatSchema({ cache: chatModels.get('delta-3')?.cache ?? false });

it.for<[string, (list: unknown[]) => boolean]>([
  ['messages', (list) => plain.safeParse({ model: 'm', messages: list }).success],
  ['messages that may be hinted', (list) => hinted.safeParse({ model: 'm', messages: list }).success],
  ['tools', (list) => plain.safeParse({ ...said('x'), tools: list }).success],
  ['blocks', (list) => plain.safeParse(said(list)).success],
  [
    'prompts',
    (list) => hinted.safeParse({ model: 'm', messages: [{ role: 'system', content: list }] }).success,
  ],
  [
    'calls',
    (list) => plain.safeParse({ model: 'm', messages: [{ role: 'assistant', tool_calls: list }] }).success,
  ],
  ['turns of path A', (list) => messagesSchema.safeParse({ ...said('x'), messages: list }).success],
  ['blocks of path A', (list) => messagesSchema.safeParse(said(list)).success],
  ['tools of path A', (list) => messagesSchema.safeParse({ ...said('x'), tools: list }).success],
  ['contents of path B', (list) => bodySchema.safeParse({ contents: list }).success],
  ['parts of path B', (list) => bodySchema.safeParse({ contents: [{ parts: list }] }).success],
])('reads %s up to the first fault', ([, takes]) => {
  const { list, reads } = counted([]);
  expect(takes(list)).toBe(false);
  expect(reads()).toBeLessThan(5);
});

it('takes elements as their schema parses them', () => {
  const block = { type: 'text', text: 'x', cache_control: { type: 'ephemeral' } };
  expect(plain.parse(said([block])).messages).toEqual([
    { role: 'user', content: [{ type: 'text', text: 'x', cache_control: undefined }] },
  ]);
  expect(hinted.parse(said([block])).messages).toEqual([{ role: 'user', content: [block] }]);
});
