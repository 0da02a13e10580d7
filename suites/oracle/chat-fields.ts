import type { CellVerdict } from './cell-verdict.ts';
import { absent, JsonText } from './json-text.ts';
import { oneTool } from './sample-tools.ts';

/**
 * The fields of a chat request with their boundary cells ("Chat request", "Limits").
 * Some values must be accepted and some refused by name. Others are left open: both answers pass, but each must
 * be clean.
 */
export interface FieldCell {
  readonly value: unknown;
  readonly verdict: CellVerdict;
  /** The requirement that the cell proves. */
  readonly requirement: string;
  readonly aspect: string;
  /** Further members that make the rest of the body legal, for example the tools that a tool_choice names. */
  readonly beside?: Readonly<Record<string, unknown>>;
  /** The gateway may answer model_not_found instead (reading B-32). */
  readonly orUnknownModel?: boolean;
}

export interface ChatField {
  readonly name: string;
  readonly requirements: readonly [string, ...string[]];
  readonly cells: readonly FieldCell[];
}

type Beside = FieldCell['beside'];

const tools = { tools: [oneTool] };

const keysOf = (count: number): Record<string, string> =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`tag${index}`, 'v']));

const cellsOf =
  (verdict: FieldCell['verdict']) =>
  (requirement: string, values: readonly unknown[], aspect: string, beside?: Beside): FieldCell[] =>
    values.map((value) => ({ value, verdict, requirement, aspect, ...(beside ? { beside } : {}) }));

const [accept, refuse] = [cellsOf('accept'), cellsOf('refuse')];

const open = (requirement: string, values: readonly unknown[], beside?: Beside): FieldCell[] =>
  cellsOf('open')(requirement, values, 'clean-either-way', beside);

export const chatFields: readonly ChatField[] = [
  {
    name: 'model',
    requirements: ['CHAT-003', 'CHAT-004'],
    cells: [
      ...refuse('CHAT-003', [absent], 'required'),
      ...refuse('CHAT-004', [5, true, [], {}, ['alpha-5-2']], 'type'),
      { value: null, verdict: 'refuse', requirement: 'CHAT-004', aspect: 'type', orUnknownModel: true },
      { value: '', verdict: 'refuse', requirement: 'CHAT-004', aspect: 'type', orUnknownModel: true },
    ],
  },
  {
    name: 'messages',
    requirements: ['CHAT-008', 'CHAT-009'],
    cells: [
      ...refuse('CHAT-008', [absent], 'required'),
      ...refuse('CHAT-009', ['hi', {}, 5, true, [1], ['hi'], [[]], [null]], 'type'),
      ...open('CHAT-009', [[]]),
    ],
  },
  {
    name: 'temperature',
    requirements: ['CHAT-012', 'CHAT-011'],
    cells: [
      ...accept('CHAT-012', [0, 2, 1e-9, 1.999, 1, 0.5], 'range-inside'),
      ...refuse('CHAT-012', [-0.01, -1, 2.01, 2.0001, 3, 1e308], 'range-outside'),
      ...refuse('CHAT-011', ['1', 'warm', true, [], {}], 'type'),
      ...open('CHAT-011', [null]),
    ],
  },
  {
    name: 'top_p',
    requirements: ['CHAT-015', 'CHAT-017'],
    cells: [
      ...accept('CHAT-015', [0.1, 1, 0.01], 'range-inside'),
      ...refuse('CHAT-015', ['0.5', true, [], {}], 'type'),
      ...open('CHAT-017', [-0.1, 1.1, 0, null]),
    ],
  },
  {
    name: 'max_tokens',
    requirements: ['CHAT-019', 'CHAT-020'],
    cells: [
      ...accept('CHAT-020', [1, 16, 4096], 'range-inside'),
      ...refuse('CHAT-020', [-1, -1000], 'range-outside'),
      ...refuse('CHAT-019', ['10', 1.5, true, [], {}], 'type'),
      ...open('CHAT-019', [new JsonText('10.0'), null]),
      ...open('CHAT-020', [0]),
    ],
  },
  {
    name: 'stream',
    requirements: ['CHAT-023'],
    cells: [
      ...accept('CHAT-023', [false, true], 'accepts-legal'),
      ...refuse('CHAT-023', ['true', 'false', 1, 0, 'yes', [], {}], 'type'),
      ...open('CHAT-023', [null]),
    ],
  },
  {
    name: 'tools',
    requirements: ['CHAT-025'],
    cells: [
      ...accept('CHAT-025', [[oneTool]], 'accepts-legal'),
      ...refuse('CHAT-025', [{}, 'f', [1], ['f'], 5, true], 'type'),
      ...open('CHAT-025', [[], null]),
    ],
  },
  {
    name: 'tool_choice',
    requirements: ['CHAT-027', 'CHAT-028', 'CHAT-032'],
    cells: [
      ...accept('CHAT-027', ['none', 'auto', 'required'], 'strings-accepted', tools),
      ...refuse('CHAT-027', ['any', 'always', '', 'NONE', 5, true], 'enum', tools),
      ...accept('CHAT-028', [{ type: 'function', function: { name: 'look_up' } }], 'object-accepted', tools),
      ...refuse('CHAT-028', [{}, { type: 'tool' }, { type: 'function' }], 'object-form', tools),
      ...refuse('CHAT-028', [{ type: 'function', function: {} }], 'object-form', tools),
      ...refuse('CHAT-028', [{ type: 'function', function: { name: 5 } }], 'object-form', tools),
      ...open('CHAT-032', [{ type: 'function', function: { name: 'no_such_tool' } }], tools),
      ...open('CHAT-032', [{ type: 'function', function: { name: 'look_up' } }, 'required', 'none']),
      ...open('CHAT-027', [null], tools),
    ],
  },
  {
    name: 'response_format',
    requirements: ['CHAT-033'],
    cells: [
      ...accept('CHAT-033', [{ type: 'json_object' }], 'accepts-legal'),
      ...refuse('CHAT-033', ['json_object', 5, true, [], { type: 5 }], 'type'),
      ...refuse('CHAT-033', [{ type: 'xml' }, { type: 'JSON_OBJECT' }, { type: '' }], 'unknown-type'),
      ...open('CHAT-033', [{ type: 'text' }, {}, null]),
    ],
  },
  {
    name: 'stop',
    requirements: ['CHAT-036', 'CHAT-037'],
    cells: [
      ...accept('CHAT-036', ['X', ['X'], ['a1', 'b2', 'c3']], 'accepts-legal'),
      ...accept('CHAT-037', [['a1', 'b2', 'c3', 'd4']], 'four-accepted'),
      ...refuse('CHAT-037', [['a', 'b', 'c', 'd', 'e'], manyStops(50)], 'more-than-four'),
      ...refuse('CHAT-036', [5, {}, true, [1], [null], ['a', 5]], 'type'),
      // Some upstreams refuse a stop text of only white space.
      ...open('CHAT-036', [[], '', [''], null, ' ', '\n\n\n']),
    ],
  },
  {
    name: 'seed',
    requirements: ['CHAT-039'],
    cells: [
      ...accept('CHAT-039', [0, 1, 2147483647], 'accepts-legal'),
      ...refuse('CHAT-039', ['1', 1.5, true, [], {}], 'type'),
      ...open('CHAT-039', [
        -1,
        new JsonText('9223372036854775807'),
        new JsonText('9223372036854775808'),
        null,
      ]),
    ],
  },
  {
    name: 'user',
    requirements: ['CHAT-041'],
    cells: [
      ...accept('CHAT-041', ['u1', 'Zoë Ørsted <zoe@example.com>'], 'accepts-legal'),
      ...refuse('CHAT-041', [5, [], {}, true], 'type'),
      ...open('CHAT-041', ['', null]),
    ],
  },
  {
    name: 'metadata',
    requirements: ['CHAT-043', 'CHAT-044', 'CHAT-045', 'CHAT-046'],
    cells: [
      ...accept('CHAT-043', [{}, { a: 'b' }], 'accepts-legal'),
      ...refuse('CHAT-043', [[], 'a', 5, true], 'type'),
      ...accept('CHAT-044', [keysOf(1), keysOf(16)], 'sixteen-accepted'),
      ...refuse('CHAT-044', [keysOf(17), keysOf(40)], 'more-than-sixteen'),
      ...accept('CHAT-045', [{ ['k'.repeat(64)]: 'v' }, { k: 'v'.repeat(64) }], 'sixty-four-accepted'),
      ...refuse('CHAT-045', [{ ['k'.repeat(65)]: 'v' }, { ['k'.repeat(500)]: 'v' }], 'key-too-long'),
      ...accept('CHAT-046', manyBytes(64), 'characters-not-bytes'),
      ...open('CHAT-043', [{ a: 5 }, { a: null }, { a: { b: 'c' } }, null]),
      // 64 code points, but 128 UTF-16 units.
      ...open('CHAT-046', [{ k: '😀'.repeat(64) }]),
    ],
  },
];

/** Whether a metadata value of 65 characters passes depends on the profile (reading B-18). */
export function metadataValueCells(maximum: number | undefined): readonly FieldCell[] {
  const value = { k: 'v'.repeat(65) };
  if (maximum === undefined) return open('CHAT-045', [value]);
  return maximum >= 65
    ? accept('CHAT-045', [value], 'declared-value-length')
    : refuse('CHAT-045', [value], 'declared-value-length');
}

/** The maximum number of characters of metadata, each of several bytes, or of two UTF-16 units. */
function manyBytes(length: number): Record<string, string>[] {
  return ['é', '漢', '🌊'].flatMap((one) => [{ [one.repeat(length)]: 'v' }, { k: one.repeat(length) }]);
}

function manyStops(count: number): string[] {
  return Array.from({ length: count }, (_, index) => `s${index}`);
}
