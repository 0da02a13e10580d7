import { imageBlock, textBlock } from '../oracle/sample-images.ts';
import { png } from '../oracle/sample-media.ts';
import { callOf, threeTools } from '../oracle/sample-tools.ts';
import type { Row } from './covering-array.ts';

const tag = 'k'.repeat(64);
const tags = Object.fromEntries(
  Array.from({ length: 16 }, (_, at) => [`${tag.slice(2)}${10 + at}`, 'é'.repeat(64)]),
);
const translate = { type: 'function', function: { name: 'translate' } };

const json = { type: 'json_object' };

/**
 * The fields of a chat request: absent, at their boundaries, at a usual value, and as common schema members. Fields of which
 * an upstream may ignore one are one factor, so that none hides another.
 */
export const chatFactors = {
  stream: [undefined, false, true],
  sampling: [
    {},
    { temperature: 0 },
    { temperature: 0.7 },
    { temperature: 2 },
    { top_p: 0.01 },
    { temperature: 0, top_p: 1 },
    { temperature: 1, top_p: 0.01 },
  ],
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
    { response_format: json },
    { tools: threeTools, response_format: json },
  ],
  extra: [
    {},
    { parallel_tool_calls: true },
    { parallel_tool_calls: false },
    { n: 1, stream_options: { include_usage: true } },
    { frequency_penalty: 0, presence_penalty: 0, logprobs: false },
  ],
  content: ['string', 'block', 'blocks', 'picture'],
  history: ['none', 'system', 'talk', 'system and talk', 'tools', 'ends in results'],
} as const;

/** A value of each field. */
export type ChatPairs = Row<typeof chatFactors>;

/** The model and prompt of a case. */
export interface PairsCase {
  readonly model: string;
  readonly prompt: string;
  /** Whether the model takes images. */
  readonly vision: boolean;
}

/** The turns after the prompt: a tool call of the model and its result. */
const results = [
  { role: 'assistant', content: null, tool_calls: [callOf('call_9')] },
  { role: 'tool', tool_call_id: 'call_9', content: 'Deep, {"m": 10994.0}.' },
];

/** The legal request with these values and the prompt as the user's last turn. */
export function pairedChatBody(
  { sampling, extra, offered, content, history, ...fields }: ChatPairs,
  { model, prompt, vision }: PairsCase,
): Record<string, unknown> {
  const said = 'response_format' in offered ? `${prompt} Answer as a JSON object.` : prompt;
  const given = Object.entries(fields).filter(([, value]) => value !== undefined);
  // A conversation with tool calls must define the called tools.
  const tools = history === 'tools' || history === 'ends in results' ? { tools: threeTools } : {};
  const body = {
    model,
    messages: [
      ...turnsOf(history),
      { role: 'user', content: contentOf(content, said, vision) },
      ...(history === 'ends in results' ? results : []),
    ],
    ...Object.fromEntries(given),
    ...sampling,
    ...tools,
    ...offered,
  };
  return { ...body, ...besides(body, extra) };
}

/**
 * The members that a gateway may refuse by name: members outside the table (B-11), and two sampling fields together (B-12).
 */
export function openMembers(body: Readonly<Record<string, unknown>>): string[] {
  const extras = chatFactors.extra.flatMap((extra) => Object.keys(extra));
  const pair = 'temperature' in body && 'top_p' in body ? ['top_p', 'temperature'] : [];
  return [...extras.filter((name) => name in body), ...pair];
}

/** The same values without any that a gateway may refuse. */
export function plainPairs(pairs: ChatPairs): ChatPairs {
  const { sampling } = pairs;
  const isPair = 'temperature' in sampling && 'top_p' in sampling;
  return { ...pairs, extra: {}, sampling: isPair ? {} : sampling };
}

/** Of the additional members, those that have a meaning in this request: upstreams refuse the others. */
function besides(body: object, extra: ChatPairs['extra']): object {
  const wanted: Readonly<Record<string, boolean>> = {
    parallel_tool_calls: 'tools' in body,
    stream_options: 'stream' in body && body.stream === true,
  };
  return Object.fromEntries(Object.entries(extra).filter(([name]) => wanted[name] !== false));
}

function contentOf(form: ChatPairs['content'], text: string, vision: boolean): unknown {
  if (form === 'string') return text;
  if (form === 'block') return [textBlock(text)];
  const middle = form === 'picture' && vision ? [imageBlock(png.dataUri)] : [];
  return [textBlock('First of all: '), ...middle, textBlock(text), textBlock('\nAt once.')];
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
