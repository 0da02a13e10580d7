import type { JsonObject } from '../../engine/requests.ts';
import type { ChatModel } from '../../oracle/chat-catalogue.ts';
import { imageBlock, textBlock } from '../../oracle/sample-images.ts';
import { callOf, oneTool, toolNamed } from '../../oracle/sample-tools.ts';

/** A part of a request, filled with this many words. The caller adds its own prompt to the last turn. */
export interface CountedPart {
  readonly name: string;
  /** The models that accept such a request, where not all do. */
  readonly only?: (model: ChatModel) => boolean;
  /** Whether a gateway may refuse this form of request in any case (reading B-23). */
  readonly isTolerated?: true;
  readonly body: (words: (count: number) => string, count: number) => JsonObject;
}

const last = { role: 'user', content: 'And now?' };
const toolUser = { tools: [oneTool] };

/** Every place for a long text: each role, tool descriptions, tool calls and tool results. */
export const countedParts: readonly CountedPart[] = [
  {
    name: 'the instructions',
    body: (words, count) => ({ messages: [{ role: 'system', content: words(count) }, last] }),
  },
  {
    name: 'the blocks of the instructions',
    only: ({ cache }) => cache === true,
    isTolerated: true,
    body: (words, count) => {
      const content = [textBlock('You are a sailor.'), textBlock(words(count))];
      return { messages: [{ role: 'system', content }, last] };
    },
  },
  {
    name: 'an earlier turn of the user',
    body: (words, count) => ({
      messages: [{ role: 'user', content: words(count) }, { role: 'assistant', content: 'Yes.' }, last],
    }),
  },
  {
    name: 'an earlier answer',
    body: (words, count) => ({
      messages: [{ role: 'user', content: 'Go on.' }, { role: 'assistant', content: words(count) }, last],
    }),
  },
  {
    name: 'the arguments of a call',
    body: (words, count) => ({
      ...toolUser,
      messages: roundOf(JSON.stringify({ word: words(count) }), 'Found.'),
    }),
  },
  {
    name: 'the result of a tool',
    body: (words, count) => ({ ...toolUser, messages: roundOf('{"word":"sea"}', words(count)) }),
  },
  {
    name: 'the description of a tool',
    body: (words, count) => ({ messages: [last], tools: [toolNamed('look_up', words(count))] }),
  },
  {
    name: 'the parameters of many tools',
    body: (words, count) => ({
      messages: [last],
      tools: Array.from({ length: 10 }, (_, index) => describedTool(`tool_${index}`, words(count / 10))),
    }),
  },
  {
    name: 'the only block of an earlier turn',
    body: (words, count) => ({
      messages: [
        { role: 'user', content: [textBlock(words(count))] },
        { role: 'assistant', content: 'Yes.' },
        last,
      ],
    }),
  },
  {
    name: 'a block of the last turn',
    body: (words, count) => ({ messages: [{ role: 'user', content: [textBlock(words(count))] }] }),
  },
  {
    name: 'many blocks of many turns',
    body: (words, count) => {
      const blocks = Array.from({ length: 3 }, () => textBlock(words(count / 9)));
      return { messages: Array.from({ length: 3 }, () => ({ role: 'user', content: blocks })) };
    },
  },
  {
    name: 'the block after an image',
    only: ({ vision }) => vision === true,
    body: (words, count) => ({
      messages: [{ role: 'user', content: [imageBlock(), textBlock(words(count))] }],
    }),
  },
];

/** A tool call with its result, placed before the last turn. */
function roundOf(args: string, result: string): JsonObject[] {
  return [
    { role: 'user', content: 'Look it up.' },
    { role: 'assistant', content: null, tool_calls: [callOf('call_1', 'look_up', args)] },
    { role: 'tool', tool_call_id: 'call_1', content: result },
    last,
  ];
}

function describedTool(name: string, description: string): JsonObject {
  const parameters = { type: 'object', properties: { word: { type: 'string', description } } };
  return { type: 'function', function: { name, description: 'Looks a word up.', parameters } };
}
