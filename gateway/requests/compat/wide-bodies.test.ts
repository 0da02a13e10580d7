import { describe, expect, it } from 'vitest';
import { type ChatModel, chatModels } from '../../catalogue/chat-models.ts';
import { GatewayError } from '../../errors/gateway-error.ts';
import type { JsonObject } from '../../http/parse-json.ts';
import type { ChatRequest } from '../chat-request.ts';
import { parseGenerateContentRequest } from './generate-content/parse-request.ts';
import { parseMessagesRequest } from './messages/parse.ts';

/** More than the maximum number of arguments of a function call; a body may hold this many. */
const manyItems = 200_000;

function modelOf(id: string): ChatModel {
  const model = chatModels.get(id);
  if (model === undefined) throw new Error(`no model ${id}`);
  return model;
}

const many = (one: unknown): unknown[] => Array.from({ length: manyItems }, () => one);
const parseA = (value: JsonObject): ChatRequest =>
  parseMessagesRequest({ value, exact: value }, modelOf('beta-large-4-5'));
const parseB = (value: JsonObject): ChatRequest =>
  parseGenerateContentRequest({ value, exact: value }, modelOf('gamma-3-pro'), false);
const said = (content: unknown): JsonObject => ({
  model: 'beta-large-4-5',
  max_tokens: 5,
  messages: [{ role: 'user', content }],
});

/** The param of the refusal. */
function faultOf(parse: () => unknown): string | null {
  try {
    parse();
  } catch (thrown) {
    if (thrown instanceof GatewayError) return thrown.param;
    throw thrown;
  }
  throw new Error('nothing was refused');
}

describe('a body with more values than fit on the stack', () => {
  it.for<[string, unknown]>([
    [
      'texts of one document',
      [{ type: 'document', source: { type: 'content', content: many({ type: 'text', text: 'x' }) } }],
    ],
    [
      'images of one result',
      [
        {
          type: 'tool_result',
          tool_use_id: 't',
          content: many({ type: 'image', source: { type: 'file', file_id: 'f' } }),
        },
      ],
    ],
  ])('is taken on path A: %s', ([, content]) => {
    expect(parseA(said(content)).fields.messages.at(-1)?.content).toHaveLength(manyItems);
  });

  it.for<[string, () => unknown, string]>([
    ['blocks on path A', () => parseA(said(many({ type: 5 }))), 'messages[0].content[0].type'],
    ['turns on path A', () => parseA({ ...said('x'), messages: many({ role: 'x' }) }), 'messages[0].role'],
    ['tools on path A', () => parseA({ ...said('x'), tools: many(5) }), 'tools[0]'],
    [
      'prompts on path A',
      () => parseA({ ...said('x'), system: many({ type: 'text', text: 5 }) }),
      'system[0].text',
    ],
    [
      'parts on path B',
      () => parseB({ contents: [{ parts: many({ text: 5 }) }] }),
      'contents[0].parts[0].text',
    ],
    ['contents on path B', () => parseB({ contents: many({ role: 'x' }) }), 'contents[0].role'],
  ])('is refused for its first fault: %s', ([, parse, param]) => {
    expect(faultOf(parse)).toBe(param);
  });
});
