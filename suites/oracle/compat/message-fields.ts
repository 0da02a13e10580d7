import type { CellVerdict } from '../cell-verdict.ts';
import { absent, JsonText } from '../json-text.ts';

/** A value of one field of a request on compat path A, with its required result. */
export interface NativeCell {
  readonly label: string;
  /** Members that replace those of the minimal request; `absent` omits one. */
  readonly members: Readonly<Record<string, unknown>>;
  readonly verdict: CellVerdict;
  /** The field that a refusal must name. */
  readonly field: string;
}

const said = (content: unknown): unknown => [{ role: 'user', content }];
const cell = (
  verdict: NativeCell['verdict'],
  field: string,
  label: string,
  members: Readonly<Record<string, unknown>>,
): NativeCell => ({ verdict, field, label: `${field}: ${label}`, members });

/** One fault each in the three fields that the specification names ("Endpoints"; reading B-92). */
export const requiredCells: readonly NativeCell[] = [
  cell('refuse', 'model', 'left out', { model: absent }),
  ...[null, '', 1, true, [], {}].map((model) => cell('refuse', 'model', JSON.stringify(model), { model })),
  cell('open', 'max_tokens', 'left out', { max_tokens: absent }),
  cell('open', 'max_tokens', 'null', { max_tokens: null }),
  ...[0, -1, 1.5, '16', true, [], {}].map((max_tokens) =>
    cell('refuse', 'max_tokens', JSON.stringify(max_tokens), { max_tokens }),
  ),
  cell('accept', 'max_tokens', '1', { max_tokens: 1 }),
  cell('open', 'max_tokens', '16.0', { max_tokens: new JsonText('16.0') }),
  cell('refuse', 'messages', 'left out', { messages: absent }),
  ...[null, 'hello', 1, true, {}, []].map((messages) =>
    cell('refuse', 'messages', JSON.stringify(messages), { messages }),
  ),
  ...[null, 'hello', 1, [], {}].map((message) =>
    cell('refuse', 'messages', `[${JSON.stringify(message)}]`, { messages: [message] }),
  ),
];

/** Turns and their content, legal and illegal (COMPA-003). `{marker}` is replaced by the scene's marker. */
export const contentCells: readonly NativeCell[] = [
  cell('accept', 'messages', 'a string', { messages: said('{marker}') }),
  cell('accept', 'messages', 'one text block', { messages: said([{ type: 'text', text: '{marker}' }]) }),
  cell('accept', 'messages', 'several text blocks', {
    messages: said([
      { type: 'text', text: 'One. ' },
      { type: 'text', text: '{marker}' },
    ]),
  }),
  cell('accept', 'messages', 'turns of both roles', {
    messages: [
      { role: 'user', content: 'Hello.' },
      { role: 'assistant', content: 'Good day.' },
      { role: 'user', content: [{ type: 'text', text: '{marker}' }] },
    ],
  }),
  cell('accept', 'messages', 'two turns of one role in a row', {
    messages: [
      { role: 'user', content: 'Hello.' },
      { role: 'user', content: '{marker}' },
    ],
  }),
  cell('accept', 'messages', 'a last turn of the assistant, to be continued', {
    messages: [
      { role: 'user', content: '{marker}' },
      { role: 'assistant', content: 'The sea' },
    ],
  }),
  ...['bot', 'tool', '', 'User', null, 1, absent].map((role) =>
    cell('refuse', 'messages', `role ${role === absent ? '(left out)' : JSON.stringify(role)}`, {
      messages: [{ ...(role === absent ? {} : { role }), content: '{marker}' }],
    }),
  ),
  ...[null, 1, true, {}, absent].map((content) =>
    cell('refuse', 'messages', `content ${content === absent ? '(left out)' : JSON.stringify(content)}`, {
      messages: [{ role: 'user', ...(content === absent ? {} : { content }) }],
    }),
  ),
  ...[null, 1, 'hello', {}, { type: 'text' }, { type: 'text', text: 1 }, { text: 'no type' }].map((block) =>
    cell('refuse', 'messages', `block ${JSON.stringify(block)}`, {
      messages: said([{ type: 'text', text: '{marker}' }, block]),
    }),
  ),
  // A native upstream refuses these. The text says nothing of them (B-22, B-24).
  cell('open', 'messages', 'content without a block', { messages: said([]) }),
  cell('open', 'messages', 'empty content', { messages: said('') }),
  cell('open', 'messages', 'a result without a call', {
    messages: said([
      { type: 'tool_result', tool_use_id: 'toolu_none', content: 'x' },
      { type: 'text', text: '{marker}' },
    ]),
  }),
];

/** Native fields besides the three (reading B-92): a known field must have the right type. */
export const optionalCells: readonly NativeCell[] = [
  cell('accept', 'stream', 'false', { stream: false }),
  ...['yes', 1, {}].map((stream) => cell('refuse', 'stream', JSON.stringify(stream), { stream })),
  ...[0, 0.5, 1].map((temperature) => cell('accept', 'temperature', `${temperature}`, { temperature })),
  ...['warm', -1, 5].map((temperature) =>
    cell('refuse', 'temperature', JSON.stringify(temperature), { temperature }),
  ),
  cell('accept', 'stop_sequences', 'two', { stop_sequences: ['unlikely-stop', '###'] }),
  ...['stop', [1], {}].map((stop_sequences) =>
    cell('refuse', 'stop_sequences', JSON.stringify(stop_sequences), { stop_sequences }),
  ),
  ...[1, {}, [1]].map((system) => cell('refuse', 'system', JSON.stringify(system), { system })),
  ...['tools', {}, [1]].map((tools) => cell('refuse', 'tools', JSON.stringify(tools), { tools })),
];
