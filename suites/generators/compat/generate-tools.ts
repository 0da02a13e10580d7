import fc from 'fast-check';
import { JsonText } from '../../oracle/json-text.ts';
import { unknownMembers } from './pass-through.ts';

/** Tools and their configuration in the form of the generate-content protocol. */
export interface GenerateTools {
  readonly tools: readonly object[];
  readonly toolConfig?: object;
}

/** Names of functions in each spelling that the protocol allows. */
export const functionNames = ['look_up', 'count-waves', 'sea.depth', '_tide'] as const;

const leaf = fc.record(
  {
    type: fc.constantFrom('STRING', 'INTEGER', 'string', 'number'),
    description: fc.lorem({ maxCount: 4 }),
    enum: fc.constant(['low', 'high']),
    nullable: fc.boolean(),
    maximum: fc.constantFrom(10, new JsonText('9007199254740993')),
  },
  { requiredKeys: ['type'] },
);

/** Lists of lists are usual, as are objects within lists. */
const within = (inner: fc.Arbitrary<object>): fc.Arbitrary<object> =>
  fc.oneof(
    inner,
    inner.map((items) => ({ type: 'ARRAY', items })),
    inner.map((member) => ({ type: 'OBJECT', properties: { member } })),
  );

const property = within(within(leaf));

const parameters = fc
  .dictionary(
    fc.constantFrom('word', 'limit', 'options_list', 'camelCase', 'title', 'type', 'properties'),
    property,
    { maxKeys: 4, noNullPrototype: true },
  )
  .map((properties) => ({ type: 'OBJECT', properties, required: Object.keys(properties).slice(0, 1) }));

const declaration = fc.record(
  {
    description: fc.lorem({ maxCount: 5 }),
    parameters,
    parametersJsonSchema: parameters,
    extra: unknownMembers,
  },
  { requiredKeys: ['description'] },
);

/** At most one of the two forms of a schema, and sometimes members that no version has. */
function declared(name: string, drawn: Record<string, unknown>): object {
  const { extra, parametersJsonSchema, ...rest } = drawn;
  const schema = 'parameters' in rest || parametersJsonSchema === undefined ? {} : { parametersJsonSchema };
  return { name, ...rest, ...schema, ...(extra as object | undefined) };
}

const functions = fc.array(declaration, { minLength: 1, maxLength: functionNames.length }).map((drawn) => ({
  functionDeclarations: drawn.map((one, at) => declared(functionNames[at] ?? 'more', one)),
}));

const others = fc.constantFrom<object>(
  { googleSearch: {} },
  { codeExecution: {} },
  { urlContext: {} },
  { zzFutureTool: { depth: new JsonText('9007199254740993'), list: [null, {}] } },
);

export const generateTools: fc.Arbitrary<GenerateTools> = fc
  .tuple(functions, fc.array(others, { maxLength: 2 }), fc.constantFrom('AUTO', 'NONE', 'ANY', null))
  .map(([own, more, mode]) => ({
    tools: [own, ...more],
    ...(mode === null ? {} : { toolConfig: { functionCallingConfig: { mode } } }),
  }));

export const toolExamples: readonly GenerateTools[] = [
  {
    tools: [
      {
        functionDeclarations: [
          {
            name: 'look_up',
            description: 'Looks a word up.\n Twice, if need be. ',
            parameters: { type: 'OBJECT', properties: { word: { type: 'STRING', zzHint: 'short' } } },
          },
          { name: 'count-waves', description: 'Counts.' },
        ],
      },
      {
        functionDeclarations: [
          { name: '_tide', description: 'Tells the tide.', response: { type: 'OBJECT' } },
        ],
      },
    ],
    toolConfig: { functionCallingConfig: { mode: 'ANY', allowedFunctionNames: ['_tide', 'look_up'] } },
  },
  { tools: [{ googleSearch: {} }, { codeExecution: {} }] },
];
