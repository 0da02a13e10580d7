/**
 * The fields of a chat request with their boundary cells ("Chat request", "Limits"): values that must be accepted, values
 * that must be refused by name, and values that the text leaves open (both answers pass, but each must be clean).
 */
export interface FieldCell {
  readonly value: unknown;
  readonly verdict: 'accept' | 'refuse' | 'open';
  /** Register row that the cell proves. */
  readonly requirement: string;
  readonly aspect: string;
  /** Further members that make the body legal but for this field, for instance the tools that a tool_choice names. */
  readonly beside?: Readonly<Record<string, unknown>>;
  /** The gateway may answer model_not_found instead (reading B-32). */
  readonly orUnknownModel?: boolean;
}

export interface ChatField {
  readonly name: string;
  readonly requirements: readonly [string, ...string[]];
  readonly cells: readonly FieldCell[];
}

const oneTool = { type: 'function', function: { name: 'look_up', description: 'Looks a word up.', parameters: { type: 'object', properties: { word: { type: 'string' } } } } };
const tools = { tools: [oneTool] };
const keysOf = (count: number): Record<string, string> => Object.fromEntries(Array.from({ length: count }, (_, index) => [`tag${index}`, 'v']));

const accept = (requirement: string, values: readonly unknown[], aspect = 'accepts-legal', beside?: FieldCell['beside']): FieldCell[] =>
  values.map((value) => ({ value, verdict: 'accept', requirement, aspect, ...(beside ? { beside } : {}) }));
const refuse = (requirement: string, values: readonly unknown[], aspect: string, beside?: FieldCell['beside']): FieldCell[] =>
  values.map((value) => ({ value, verdict: 'refuse', requirement, aspect, ...(beside ? { beside } : {}) }));
const open = (requirement: string, values: readonly unknown[], beside?: FieldCell['beside']): FieldCell[] =>
  values.map((value) => ({ value, verdict: 'open', requirement, aspect: 'clean-either-way', ...(beside ? { beside } : {}) }));

/** A member that is left out altogether. */
export const absent = Symbol('absent');

export const chatFields: readonly ChatField[] = [
  {
    name: 'model',
    requirements: ['CHAT-003', 'CHAT-004'],
    cells: [
      ...refuse('CHAT-003', [absent], 'required'),
      ...refuse('CHAT-004', [5, true, [], {}], 'type'),
      { value: null, verdict: 'refuse', requirement: 'CHAT-004', aspect: 'type', orUnknownModel: true },
      { value: '', verdict: 'refuse', requirement: 'CHAT-004', aspect: 'type', orUnknownModel: true },
    ],
  },
  {
    name: 'messages',
    requirements: ['CHAT-008', 'CHAT-009'],
    cells: [...refuse('CHAT-008', [absent], 'required'), ...refuse('CHAT-009', ['hi', {}, 5, [1], ['hi'], [[]], true], 'type'), ...open('CHAT-009', [[]])],
  },
  {
    name: 'temperature',
    requirements: ['CHAT-012', 'CHAT-011'],
    cells: [
      ...accept('CHAT-012', [0, 2, 1e-9, 1.999, 1], 'range-inside'),
      ...refuse('CHAT-012', [-0.01, -1, 2.01, 2.0001, 3, 1e308], 'range-outside'),
      ...refuse('CHAT-011', ['1', true, [], {}], 'type'),
      ...open('CHAT-011', [null]),
    ],
  },
  {
    name: 'top_p',
    requirements: ['CHAT-015', 'CHAT-017'],
    cells: [
      ...accept('CHAT-015', [0.1, 1, 0.01], 'range-inside'),
      ...refuse('CHAT-015', ['0.5', true, []], 'type'),
      ...open('CHAT-017', [-0.1, 1.1]),
    ],
  },
  {
    name: 'max_tokens',
    requirements: ['CHAT-019', 'CHAT-020'],
    cells: [
      ...accept('CHAT-020', [1, 16, 4096], 'range-inside'),
      ...refuse('CHAT-020', [-1, -1000], 'range-outside'),
      ...refuse('CHAT-019', ['10', 1.5, true, []], 'type'),
      ...open('CHAT-020', [0]),
    ],
  },
  {
    name: 'stream',
    requirements: ['CHAT-023'],
    cells: [...accept('CHAT-023', [false]), ...refuse('CHAT-023', ['true', 1, 0, 'yes', [], {}], 'type')],
  },
  {
    name: 'tools',
    requirements: ['CHAT-025'],
    cells: [...accept('CHAT-025', [[oneTool]]), ...refuse('CHAT-025', [{}, 'f', [1], ['f'], 5], 'type'), ...open('CHAT-025', [[]])],
  },
  {
    name: 'tool_choice',
    requirements: ['CHAT-027', 'CHAT-028', 'CHAT-032'],
    cells: [
      ...accept('CHAT-027', ['none', 'auto', 'required'], 'accepts-legal', tools),
      ...refuse('CHAT-027', ['any', 'always', '', 'NONE', 5, true], 'enum', tools),
      ...accept('CHAT-028', [{ type: 'function', function: { name: 'look_up' } }], 'accepts-legal', tools),
      ...refuse('CHAT-028', [{}, { type: 'tool' }, { type: 'function' }, { type: 'function', function: {} }], 'object-form', tools),
      ...open('CHAT-032', [{ type: 'function', function: { name: 'no_such_tool' } }], tools),
    ],
  },
  {
    name: 'response_format',
    requirements: ['CHAT-033'],
    cells: [
      ...accept('CHAT-033', [{ type: 'json_object' }]),
      ...refuse('CHAT-033', ['json_object', 5, [], { type: 'xml' }, { type: 5 }], 'type'),
      ...open('CHAT-033', [{ type: 'text' }, {}]),
    ],
  },
  {
    name: 'stop',
    requirements: ['CHAT-036', 'CHAT-037'],
    cells: [
      ...accept('CHAT-036', ['X', ['X']]),
      ...accept('CHAT-037', [['a1', 'b2', 'c3', 'd4']], 'four-accepted'),
      ...refuse('CHAT-037', [['a', 'b', 'c', 'd', 'e'], Array.from({ length: 50 }, (_, index) => `s${index}`)], 'more-than-four'),
      ...refuse('CHAT-036', [5, {}, [1], [null], true], 'type'),
      ...open('CHAT-036', [[], '', ['']]),
    ],
  },
  {
    name: 'seed',
    requirements: ['CHAT-039'],
    cells: [
      ...accept('CHAT-039', [0, 1, 2147483647]),
      ...refuse('CHAT-039', ['1', 1.5, true, [], {}], 'type'),
      ...open('CHAT-039', [-1, 9223372036854775807]),
    ],
  },
  {
    name: 'user',
    requirements: ['CHAT-041'],
    cells: [...accept('CHAT-041', ['u1']), ...refuse('CHAT-041', [5, [], {}, true], 'type')],
  },
  {
    name: 'metadata',
    requirements: ['CHAT-043', 'CHAT-044', 'CHAT-045', 'CHAT-046'],
    cells: [
      ...accept('CHAT-043', [{}, { a: 'b' }]),
      ...refuse('CHAT-043', [[], 'a', 5, true], 'type'),
      ...accept('CHAT-044', [keysOf(1), keysOf(16)], 'sixteen-accepted'),
      ...refuse('CHAT-044', [keysOf(17), keysOf(40)], 'more-than-sixteen'),
      ...accept('CHAT-045', [{ ['k'.repeat(64)]: 'v' }, { k: 'v'.repeat(64) }], 'sixty-four-accepted'),
      ...refuse('CHAT-045', [{ ['k'.repeat(65)]: 'v' }], 'key-too-long'),
      ...accept('CHAT-046', [{ ['é'.repeat(64)]: 'v' }, { k: 'é'.repeat(64) }, { ['漢'.repeat(64)]: 'v' }], 'characters-not-bytes'),
      ...open('CHAT-043', [{ a: 5 }, { a: null }, { a: { b: 'c' } }]),
      ...open('CHAT-045', [{ k: 'v'.repeat(65) }]),
    ],
  },
];
