import { textBlock } from '../oracle/sample-images.ts';
import { callOf, threeTools } from '../oracle/sample-tools.ts';
import type { Row } from './covering-array.ts';

const tag = 'k'.repeat(64);
const tags = Object.fromEntries(
  Array.from({ length: 16 }, (_, at) => [`${tag.slice(2)}${10 + at}`, 'é'.repeat(64)]),
);
const translate = { type: 'function', function: { name: 'translate' } };

/**
 * The fields of a chat request, each absent, at its boundaries and at a usual value. temperature and top_p exclude
 * each other (B-12).
 */
export const chatFactors = {
  stream: [undefined, false, true],
  sampling: [{}, { temperature: 0 }, { temperature: 0.7 }, { temperature: 2 }, { top_p: 0.01 }, { top_p: 1 }],
  max_tokens: [undefined, 1, 300, 4_000],
  stop: [undefined, 'END', ['END'], ['a1', 'b2', 'c3', '\n\nd4']],
  seed: [undefined, 0, 7, 2_147_483_647],
  user: [undefined, 'keeper-7', 'ключ 🔑'],
  metadata: [undefined, {}, { a: 'b' }, tags],
  offered: [
    {},
    { tools: threeTools.slice(0, 1) },
    { tools: threeTools, tool_choice: 'auto' },
    { tools: threeTools, tool_choice: 'none' },
    { tools: threeTools, tool_choice: 'required' },
    { tools: threeTools, tool_choice: translate },
  ],
  response_format: [undefined, { type: 'json_object' }],
  content: ['string', 'block', 'blocks'],
  history: ['none', 'system', 'talk', 'system and talk', 'tools'],
} as const;

/** A value of each field. */
export type ChatPairs = Row<typeof chatFactors>;

/** The legal request that has these values, and its prompt as the last turn. */
export function pairedChatBody(
  { sampling, offered, content, history, ...fields }: ChatPairs,
  model: string,
  prompt: string,
): Record<string, unknown> {
  const said = fields.response_format === undefined ? prompt : `${prompt} Answer as a JSON object.`;
  const given = Object.entries(fields).filter(([, value]) => value !== undefined);
  // A talk with tool calls has to define what it called.
  const tools = history === 'tools' && !('tools' in offered) ? { tools: threeTools } : offered;
  return {
    model,
    messages: [...turnsOf(history), { role: 'user', content: contentOf(content, said) }],
    ...Object.fromEntries(given),
    ...sampling,
    ...tools,
  };
}

function contentOf(form: ChatPairs['content'], text: string): unknown {
  if (form === 'string') return text;
  return form === 'block'
    ? [textBlock(text)]
    : [textBlock('First of all: '), textBlock(text), textBlock('\nAt once.')];
}

function turnsOf(history: ChatPairs['history']): object[] {
  const talk = [
    { role: 'user', content: 'What is the sea?' },
    { role: 'assistant', content: ' Salt water.\n' },
  ];
  const round = [
    { role: 'user', content: 'Look it up.' },
    { role: 'assistant', content: null, tool_calls: [callOf('call_1')] },
    { role: 'tool', tool_call_id: 'call_1', content: '{"n": 1.0}' },
    { role: 'assistant', content: 'So it is.' },
  ];
  return [
    ...(history.startsWith('system') ? [{ role: 'system', content: 'Be brief.' }] : []),
    ...(history.endsWith('talk') ? talk : []),
    ...(history === 'tools' ? round : []),
  ];
}
