import { type FormFamily, formCells } from './form-family.ts';
import { absent } from './json-text.ts';
import { oneTool } from './sample-tools.ts';

/**
 * The forms of a tool definition ("Tool definition"). Legal probes stay within the strictest reading (B-26).
 */

const request = (tool: unknown, prompt: string): Record<string, unknown> => ({
  messages: [{ role: 'user', content: prompt }],
  tools: [tool],
});

/** The sample tool with one member replaced or omitted. */
const tool =
  (name: 'type' | 'function') =>
  (value: unknown, prompt: string): Record<string, unknown> => {
    const { [name]: _, ...rest } = oneTool;
    return request(value === absent ? rest : { ...rest, [name]: value }, prompt);
  };

/** The sample tool with one member of its function replaced or omitted. */
const member =
  (name: 'name' | 'description' | 'parameters') =>
  (value: unknown, prompt: string): Record<string, unknown> => {
    const { [name]: _, ...rest } = oneTool.function;
    const described = value === absent ? rest : { ...rest, [name]: value };
    return request({ type: 'function', function: described }, prompt);
  };

const nested = {
  type: 'object',
  properties: { word: { $ref: '#/$defs/word' }, how: { type: 'string', enum: ['fast', 'slow'] } },
  $defs: { word: { type: 'string' } },
};

export const toolFamilies: readonly FormFamily[] = [
  {
    name: 'type',
    title: 'the type of a tool is function',
    requirements: ['TOOL-001'],
    cells: [
      ...formCells(
        'accept',
        { requirement: 'TOOL-001', aspect: 'function-accepted', field: 'tools' },
        { 'type function': 'function' },
        tool('type'),
      ),
      ...formCells(
        'refuse',
        { requirement: 'TOOL-001', aspect: 'type-is-function', field: 'tools[0].type' },
        {
          'no type': absent,
          'type retrieval': 'retrieval',
          'type code_interpreter': 'code_interpreter',
          'type ""': '',
          'type 5': 5,
          'type Function': 'Function',
        },
        tool('type'),
      ),
    ],
  },
  {
    name: 'name',
    title: 'a tool has a function object with a non-empty string name',
    requirements: ['TOOL-002'],
    cells: [
      ...formCells(
        'accept',
        { requirement: 'TOOL-002', aspect: 'names-accepted', field: 'tools' },
        {
          'a name of one letter': 'f',
          'a name of 64 characters': 'n'.repeat(64),
          'a name with _ and -': 'look_up-word_2',
        },
        member('name'),
      ),
      ...formCells(
        'refuse',
        { requirement: 'TOOL-002', aspect: 'function-required', field: 'tools[0].function' },
        { 'no function': absent, 'function "f"': 'f', 'function null': null },
        tool('function'),
      ),
      ...formCells(
        'refuse',
        { requirement: 'TOOL-002', aspect: 'name-required', field: 'tools[0].function.name' },
        { 'no name': absent, 'name 5': 5, 'name null': null, 'name ""': '' },
        member('name'),
      ),
      ...formCells(
        'refuse',
        { requirement: 'TOOL-002', aspect: 'name-required', field: 'tools[0].function.name' },
        { 'function {}': {} },
        tool('function'),
      ),
      ...formCells(
        'open',
        { requirement: 'TOOL-002', aspect: 'clean-either-way', field: 'tools' },
        {
          'a name of 65 characters': 'n'.repeat(65),
          'a name with a space': 'look up',
          'a name with é': 'mémoire',
        },
        member('name'),
      ),
    ],
  },
  {
    name: 'description',
    title: 'the description of a function is a string',
    requirements: ['TOOL-003'],
    cells: [
      ...formCells(
        'accept',
        { requirement: 'TOOL-003', aspect: 'string-accepted', field: 'tools' },
        {
          'a description': 'Looks it up.',
          'a description of 1000 characters': 'x '.repeat(500),
          'a description with emoji': 'Finds 🌊 « sea »\n"quoted"',
        },
        member('description'),
      ),
      ...formCells(
        'refuse',
        { requirement: 'TOOL-003', aspect: 'description-type', field: 'tools[0].function.description' },
        { 'description 5': 5, 'description []': [], 'description {}': {} },
        member('description'),
      ),
      ...formCells(
        'open',
        { requirement: 'TOOL-003', aspect: 'clean-either-way', field: 'tools' },
        { 'no description': absent, 'description ""': '', 'description null': null },
        member('description'),
      ),
    ],
  },
  {
    name: 'parameters',
    title: 'the parameters of a function are a JSON Schema object',
    requirements: ['TOOL-004'],
    cells: [
      ...formCells(
        'accept',
        { requirement: 'TOOL-004', aspect: 'schema-accepted', field: 'tools' },
        {
          'an object schema without properties': { type: 'object', properties: {} },
          'a nested schema with $ref and enum': nested,
        },
        member('parameters'),
      ),
      ...formCells(
        'refuse',
        { requirement: 'TOOL-004', aspect: 'parameters-type', field: 'tools[0].function.parameters' },
        { 'parameters "x"': 'x', 'parameters 5': 5, 'parameters []': [], 'parameters true': true },
        member('parameters'),
      ),
      ...formCells(
        'open',
        { requirement: 'TOOL-004', aspect: 'clean-either-way', field: 'tools' },
        { 'no parameters': absent, 'parameters {}': {}, 'parameters null': null },
        member('parameters'),
      ),
    ],
  },
];
