import { expect, it } from 'vitest';
import { messagesDifferences } from './same-messages.ts';

const call = { type: 'tool_use', id: 'toolu_1', name: 'look_up', input: { n: 1 } };
const result = { type: 'tool_result', tool_use_id: 'toolu_1', content: 'Water.' };
const request = {
  model: 'beta-mid-4-5',
  max_tokens: 64,
  system: 'Be brief.',
  top_k: 4,
  tools: [{ name: 'look_up', input_schema: { type: 'object' } }],
  messages: [
    { role: 'user', content: 'What is the sea?' },
    { role: 'assistant', content: [{ type: 'text', text: 'I look.' }, call] },
    { role: 'user', content: [result] },
  ],
};

function difference(seen: object, sent: object = request): string | null {
  const found = messagesDifferences(JSON.stringify(sent), JSON.stringify(seen));
  return found.map(({ requirement, aspect }) => `${requirement} ${aspect}`).join(', ') || null;
}

const turns = (...messages: readonly unknown[]): object => ({ ...request, messages });

it.each<[string, object]>([
  ['itself under another model', { ...request, model: 'bm-4-5', stream: true }],
  [
    'members in another order, and more of them',
    { ...Object.fromEntries(Object.entries(request).reverse()), x: 1 },
  ],
  ['texts as blocks', { ...request, system: [{ type: 'text', text: 'Be brief.' }] }],
  [
    'a result in blocks, and not as an error',
    turns({ role: 'user', content: [{ type: 'text', text: 'What is the sea?' }] }, request.messages[1], {
      role: 'user',
      content: [{ ...result, content: [{ type: 'text', text: 'Water.' }], is_error: false }],
    }),
  ],
])('accepts as equal %s', (_, seen) => {
  expect(difference(seen)).toBeNull();
});

it('treats a system turn as a system prompt, and consecutive turns of one role as one', () => {
  const sent = turns(
    { role: 'system', content: 'Be brief.' },
    { role: 'user', content: 'A' },
    { role: 'user', content: 'B' },
  );
  const seen = turns({
    role: 'user',
    content: [
      { type: 'text', text: 'A' },
      { type: 'text', text: 'B' },
    ],
  });
  expect(difference({ ...seen, system: 'Be brief.\nBe brief.' }, sent)).toBeNull();
});

it('treats an omitted lifetime of a hint as the explicit default', () => {
  const marked = (hint: object): object => ({
    ...request,
    tools: [{ ...request.tools[0], cache_control: hint }],
  });
  const plain = marked({ type: 'ephemeral' });
  expect(difference(marked({ type: 'ephemeral', ttl: '5m' }), plain)).toBeNull();
  expect(difference(marked({ type: 'ephemeral', ttl: '1h' }), plain)).toBe('COMPA-007 hint-arrives');
  expect(difference(request, plain)).toBe('COMPA-007 hint-arrives');
});

const [, , third] = request.messages as [object, object, object];

it('compares every digit of an input', () => {
  const sent = JSON.stringify(request).replace('"n":1', '"n":9007199254740993');
  const seen = JSON.stringify(request).replace('"n":1', '"n":9007199254740992');
  expect(messagesDifferences(sent, sent)).toEqual([]);
  expect(messagesDifferences(sent, seen)).toMatchObject([{ requirement: 'COMPA-005' }]);
});

it('reports every part that differs, but only the first of several lost blocks', () => {
  const seen = {
    ...turns({ role: 'user', content: 'The sea?' }, { role: 'assistant', content: [call] }, third),
    top_k: 5,
  };
  expect(messagesDifferences(JSON.stringify(request), JSON.stringify(seen)).map(({ path }) => path)).toEqual([
    'messages[0].content[0].text',
    'messages[1].content[0].text',
    'top_k',
  ]);
});
