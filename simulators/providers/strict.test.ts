import { expect, it } from 'vitest';
import { postChat } from '../testing/post-chat.ts';
import { postGenerate } from '../testing/post-generate.ts';
import { postMessages } from '../testing/post-messages.ts';
import { useSimulators } from '../testing/simulators.ts';

const simulators = useSimulators();

const asked = { role: 'user', parts: [{ text: 'hi' }] };
const called = ['a', 'b'].map((name) => ({ functionCall: { name }, thoughtSignature: 'c2ln' }));
const responses = ['a', 'b'].map((name) => ({
  role: 'function',
  parts: [{ functionResponse: { name, response: {} } }],
}));
const calls = ['a', 'b'].map((id) => ({ type: 'tool_use', id, name: 'f', input: {} }));
const results = ['a', 'b'].map((id) => ({
  role: 'user',
  content: [{ type: 'tool_result', tool_use_id: id, content: '1' }],
}));

it.each([
  {
    dialect: 'chat-completions',
    post: async (base: string) => postChat(base, { top_k: 5 }),
  },
  {
    dialect: 'messages',
    post: async (base: string) =>
      postMessages(base, {
        messages: [{ role: 'user', content: 'hi' }, { role: 'assistant', content: calls }, ...results],
      }),
  },
  {
    dialect: 'generate-content',
    post: async (base: string) =>
      postGenerate(base, { contents: [asked, { role: 'model', parts: called }, ...responses] }),
  },
])('a strict script refuses what $dialect tolerates', async ({ post }) => {
  const tenant = simulators.tenant();
  await tenant.script({ replies: [{}, { strict: true }] });
  const base = simulators.base(tenant.name);
  expect(await post(base)).toMatchObject({ status: 200 });
  expect(await post(base)).toMatchObject({ status: 400 });
});
