import { type FormCell, type FormFamily, formCells } from './form-family.ts';
import { absent } from './json-text.ts';
import { callOf, oneTool } from './sample-tools.ts';

/** The forms of messages ("Message roles"), turn by turn. Content blocks have a separate table. */

type Build = (value: unknown, prompt: string) => Record<string, unknown>;

const user = (content: unknown): object => ({ role: 'user', content });

/** A message with one member set or omitted. */
const withMember = (message: object, name: string, value: unknown): object =>
  value === absent ? message : { ...message, [name]: value };

const alone: Build = (message) => ({ messages: [message] });
const role: Build = (value, prompt) => alone(withMember({ content: prompt }, 'role', value), prompt);
const system: Build = (value, prompt) => ({
  messages: [withMember({ role: 'system' }, 'content', value), user(prompt)],
});
const userContent: Build = (value, prompt) => ({
  messages: [
    withMember({ role: 'user' }, 'content', value),
    { role: 'assistant', content: 'Yes?' },
    user(prompt),
  ],
});
const assistant: Build = (value, prompt) => ({
  messages: [user('Hello.'), { role: 'assistant', ...(value as object) }, user(prompt)],
});

/** A finished tool round, with one member of the tool message replaced or omitted. */
const toolMessage =
  (name: 'content' | 'tool_call_id'): Build =>
  (value, prompt) => {
    const { [name]: _, ...rest } = { role: 'tool', tool_call_id: 'call_1', content: 'The sea is wide.' };
    const result = withMember(rest, name, value);
    return {
      tools: [oneTool],
      messages: [user(prompt), { role: 'assistant', content: null, tool_calls: [callOf('call_1')] }, result],
    };
  };

const callRound = (content: unknown, prompt: string): Record<string, unknown> => ({
  tools: [oneTool],
  messages: [
    user('Look the sea up.'),
    withMember({ role: 'assistant', tool_calls: [callOf('call_1')] }, 'content', content),
    { role: 'tool', tool_call_id: 'call_1', content: 'The sea is wide.' },
    user(prompt),
  ],
});

const conversation: FormCell = {
  title: 'each of the four roles in one conversation',
  members: (prompt) => ({
    tools: [oneTool],
    messages: [{ role: 'system', content: 'Be brief.' }, ...(callRound(null, prompt).messages as object[])],
  }),
  verdict: 'accept',
  requirement: 'MSG-001',
  aspect: 'roles-accepted',
  field: 'messages',
};

export const messageFamilies: readonly FormFamily[] = [
  {
    name: 'role',
    title: 'a message has one of the four roles, and nothing else passes for one',
    requirements: ['MSG-001', 'MSG-002'],
    cells: [
      conversation,
      ...formCells(
        'refuse',
        { requirement: 'MSG-001', aspect: 'role-known', field: 'messages[0].role' },
        {
          'role wizard': 'wizard',
          'role USER': 'USER',
          'role ""': '',
          'role null': null,
          'role 5': 5,
          'role ["user"]': ['user'],
        },
        role,
      ),
      ...formCells(
        'open',
        { requirement: 'MSG-001', aspect: 'clean-either-way', field: 'messages' },
        { 'role developer': 'developer', 'role function': 'function' },
        role,
      ),
      ...formCells(
        'refuse',
        { requirement: 'MSG-002', aspect: 'role-required', field: 'messages[0].role' },
        { 'no role': absent },
        role,
      ),
    ],
  },
  {
    name: 'system-content',
    title: 'the content of a system message is a string',
    requirements: ['MSG-003'],
    cells: [
      ...formCells(
        'accept',
        { requirement: 'MSG-003', aspect: 'string-accepted', field: 'messages' },
        { 'system content as a string': 'Answer in one sentence.' },
        system,
      ),
      ...formCells(
        'refuse',
        { requirement: 'MSG-003', aspect: 'content-type', field: 'messages[0].content' },
        {
          'system content 5': 5,
          'system content {}': {},
          'system content null': null,
          'system content true': true,
        },
        system,
      ),
      ...formCells(
        'open',
        { requirement: 'MSG-003', aspect: 'clean-either-way', field: 'messages' },
        {
          'system content as text blocks': [{ type: 'text', text: 'Be brief.' }],
          'no system content': absent,
        },
        system,
      ),
    ],
  },
  {
    name: 'user-content',
    title: 'the content of a user message is a string or an array of content blocks',
    requirements: ['MSG-007', 'MSG-008', 'MSG-009'],
    cells: [
      ...formCells(
        'accept',
        { requirement: 'MSG-007', aspect: 'string-accepted', field: 'messages' },
        {
          'emoji and joined emoji': '🌊👩‍👩‍👧‍👦🏳️‍🌈',
          'right-to-left text': 'البحر واسع — הים רחב',
          'control characters': 'a\u0001b\tc\r\nd\u007fe\u0085f\u2028g',
          'combining marks and astral letters': 'e\u0301 𝒮𝑒𝒶 𠮷',
          '100 kB of text': 'The sea. '.repeat(11_200),
        },
        userContent,
      ),
      ...formCells(
        'accept',
        { requirement: 'MSG-008', aspect: 'blocks-accepted', field: 'messages' },
        {
          'one text block': [{ type: 'text', text: 'Hello.' }],
          'two text blocks': [
            { type: 'text', text: 'Hello. ' },
            { type: 'text', text: 'It is me.' },
          ],
        },
        userContent,
      ),
      ...formCells(
        'refuse',
        { requirement: 'MSG-009', aspect: 'content-type', field: 'messages[0].content' },
        {
          'user content 5': 5,
          'user content true': true,
          'user content {}': {},
          'user content [1]': [1],
          'user content ["x"]': ['x'],
          'user content [[]]': [[]],
        },
        userContent,
      ),
      ...formCells(
        'refuse',
        { requirement: 'MSG-009', aspect: 'content-required', field: 'messages[0].content' },
        { 'user content null': null, 'no user content': absent },
        userContent,
      ),
      ...formCells(
        'open',
        { requirement: 'MSG-009', aspect: 'clean-either-way', field: 'messages' },
        { 'user content ""': '', 'user content []': [] },
        userContent,
      ),
    ],
  },
  {
    name: 'assistant-content',
    title: 'the content of an assistant message is a string, or null beside tool_calls',
    requirements: ['MSG-011', 'MSG-012'],
    cells: [
      ...formCells(
        'accept',
        { requirement: 'MSG-011', aspect: 'string-accepted', field: 'messages' },
        { 'assistant content as a string': { content: 'Yes?' } },
        assistant,
      ),
      ...formCells(
        'accept',
        { requirement: 'MSG-011', aspect: 'null-beside-calls', field: 'messages' },
        { 'assistant content null beside tool_calls': null },
        callRound,
      ),
      ...formCells(
        'accept',
        { requirement: 'MSG-012', aspect: 'text-beside-calls', field: 'messages' },
        { 'assistant text beside tool_calls': 'I look it up.', 'empty assistant text beside tool_calls': '' },
        callRound,
      ),
      ...formCells(
        'refuse',
        { requirement: 'MSG-011', aspect: 'content-type', field: 'messages[1].content' },
        {
          'assistant content 5': { content: 5 },
          'assistant content {}': { content: {} },
          'assistant content true': { content: true },
        },
        assistant,
      ),
      ...formCells(
        'open',
        { requirement: 'MSG-011', aspect: 'clean-either-way', field: 'messages' },
        {
          'assistant content null without tool_calls': { content: null },
          'no assistant content': {},
          'assistant content as blocks': { content: [{ type: 'text', text: 'Yes?' }] },
          'tool_calls []': { content: 'Yes?', tool_calls: [] },
          'tool_calls "x"': { content: 'Yes?', tool_calls: 'x' },
          'tool_calls [{}]': { content: 'Yes?', tool_calls: [{}] },
        },
        assistant,
      ),
      ...formCells(
        'open',
        { requirement: 'MSG-011', aspect: 'clean-either-way', field: 'messages' },
        { 'no assistant content beside tool_calls': absent },
        callRound,
      ),
    ],
  },
  {
    name: 'tool-message',
    title: 'a tool message has string content and the tool_call_id that it answers',
    requirements: ['MSG-013', 'MSG-014', 'TOOL-013'],
    cells: [
      ...formCells(
        'accept',
        { requirement: 'TOOL-013', aspect: 'result-accepted', field: 'messages' },
        { 'a string result': '{"words":["sea"]}', 'an empty result': '' },
        toolMessage('content'),
      ),
      ...formCells(
        'refuse',
        { requirement: 'MSG-013', aspect: 'content-type', field: 'messages[2].content' },
        { 'tool content null': null, 'tool content 5': 5, 'tool content {}': {} },
        toolMessage('content'),
      ),
      ...formCells(
        'refuse',
        { requirement: 'TOOL-013', aspect: 'content-required', field: 'messages[2].content' },
        { 'no tool content': absent, 'tool content true': true },
        toolMessage('content'),
      ),
      ...formCells(
        'open',
        { requirement: 'MSG-013', aspect: 'clean-either-way', field: 'messages' },
        { 'tool content as blocks': [{ type: 'text', text: 'wide' }] },
        toolMessage('content'),
      ),
      ...formCells(
        'refuse',
        { requirement: 'MSG-014', aspect: 'call-id', field: 'messages[2].tool_call_id' },
        { 'no tool_call_id': absent, 'tool_call_id 5': 5, 'tool_call_id null': null },
        toolMessage('tool_call_id'),
      ),
      ...formCells(
        'open',
        { requirement: 'MSG-014', aspect: 'clean-either-way', field: 'messages' },
        { 'tool_call_id ""': '', 'tool_call_id of no call': 'call_unknown' },
        toolMessage('tool_call_id'),
      ),
    ],
  },
];
