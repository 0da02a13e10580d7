import { describe, expect, it } from 'vitest';
import type { ChatModel } from '../catalogue/chat-models.ts';
import { parseJsonObject } from '../http/parse-json.ts';
import { type ChatRequest, parseChatRequest } from './chat-request.ts';
import { checkContext } from './check-context.ts';
import { maxPromptTokens, promptTexts } from './prompt-bounds.ts';

const window = 100_000;
const modelId: ChatModel = {
  id: 'm',
  contextTokens: window,
  outputTokens: 4000,
  tools: true,
  vision: true,
  media: true,
  cache: false,
  stream: true,
  jsonSchema: true,
  compat: null,
};

function request(fields: object): ChatRequest {
  const body = { model: 'm', messages: [{ role: 'user', content: 'hi' }], ...fields };
  return parseChatRequest(parseJsonObject(Buffer.from(JSON.stringify(body))), modelId);
}

/** Returns the error code or null, and how often the upstream was called. */
async function verdict(fields: object, tokens: number | null): Promise<[code: unknown, asked: number]> {
  let asked = 0;
  const count = (): Promise<number | null> => {
    asked += 1;
    return Promise.resolve(tokens);
  };
  const check = async (): Promise<void> => checkContext(request(fields), count);
  const code = await check().then(
    () => null,
    (refusal: { code: unknown }) => refusal.code,
  );
  return [code, asked];
}

const text = (length: number) => ({ messages: [{ role: 'user', content: 'word '.repeat(length / 5) }] });
const media = (url: string) => ({
  messages: [{ role: 'user', content: [{ type: 'image_url', image_url: { url } }] }],
});

describe('prompt and max_tokens', () => {
  it.for([
    ['a short prompt fits', { max_tokens: 90_000 }, 0, null],
    ['a prompt of fewer bytes than there is room for fits', { ...text(80_000), max_tokens: 10_000 }, 0, null],
    ['a picture has a bound', { ...media('https://example.org/a.png'), max_tokens: 80_000 }, 0, null],
    ["what nobody caps is the upstream's to judge", text(500_000), 0, null],
    ['max_tokens alone exceeds the window', { max_tokens: window + 1 }, 0, 'context_too_long'],
    ['no message fits beside max_tokens', { max_tokens: window }, 0, 'context_too_long'],
    [
      'no tokenizer makes the prompt short enough',
      { messages: [{ role: 'user', content: 'a1b2c3d4'.repeat(412_500) }], max_tokens: 1 },
      0,
      'context_too_long',
    ],
  ] as const)('are judged without asking when %s', async ([, fields, asked, code]) => {
    // A count that would reverse the verdict.
    const counted = code === null ? window * 2 : 1;
    expect(await verdict(fields, counted)).toEqual([code, asked]);
  });

  it.for([
    ['exactly the window', 50_000, null],
    ['one more', 50_001, 'context_too_long'],
    ['unknown', null, null],
  ] as const)('are counted by the upstream if size does not decide: %s', async ([, tokens, code]) => {
    expect(await verdict({ ...text(400_000), max_tokens: 50_000 }, tokens)).toEqual([code, 1]);
  });

  it.for([
    ['video', 'data:video/mp4;base64,AAAA'],
    ['audio', 'https://example.org/a.mp3'],
    ['a document', 'data:application/pdf;base64,AAAA'],
  ] as const)('are always counted with %s, because its size does not show its length', async ([, url]) => {
    expect(await verdict({ ...media(url), max_tokens: 1 }, 5)).toEqual([null, 1]);
  });

  it('uses the requested max_tokens, not the maximum of the model', async () => {
    expect(await verdict({ ...text(400_000), max_tokens: 60_000 }, 50_000)).toEqual(['context_too_long', 1]);
  });

  it('are not rejected when the upstream cannot count', async () => {
    await checkContext(request({ ...text(400_000), max_tokens: 50_000 }), null);
  });
});

it('bounds a prompt by the bytes of all that it consists of', () => {
  const long = 'ä'.repeat(10_000);
  const call = { id: 'a', type: 'function', function: { name: 'f', arguments: JSON.stringify({ x: long }) } };
  const tool = { type: 'function', function: { name: 'f', description: long } };
  const bound = (members: object): number => {
    const { fields } = request(members);
    return maxPromptTokens(fields, promptTexts(fields));
  };
  const bare = bound({});
  for (const fields of [
    {
      messages: [
        { role: 'system', content: long },
        { role: 'user', content: 'hi' },
      ],
    },
    { messages: [{ role: 'user', content: [{ type: 'text', text: long }] }] },
    {
      messages: [
        { role: 'user', content: 'hi' },
        { role: 'assistant', content: null, tool_calls: [call] },
        { role: 'tool', tool_call_id: 'a', content: 'x' },
      ],
    },
    {
      messages: [
        { role: 'user', content: 'hi' },
        { role: 'assistant', tool_calls: [{ ...call, function: { name: 'f', arguments: '{}' } }] },
        { role: 'tool', tool_call_id: 'a', content: long },
      ],
    },
    { tools: [tool] },
    { response_format: { type: 'json_schema', json_schema: { name: 'n', description: long } } },
  ])
    expect(bound(fields) - bare).toBeGreaterThanOrEqual(20_000 - 10);
});
