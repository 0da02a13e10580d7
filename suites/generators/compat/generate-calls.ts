import fc from 'fast-check';
import { JsonText } from '../../oracle/json-text.ts';
import { unknownMembers } from './pass-through.ts';

/** A part of an answer that calls a function. */
export interface CallPart extends Readonly<Record<string, unknown>> {
  readonly functionCall: { readonly id?: string; readonly name: string; readonly args?: object };
  readonly thoughtSignature?: string;
}

const call = fc.record(
  {
    id: fc.stringMatching(/^call_[a-z0-9]{6}$/),
    name: fc.constantFrom('look_up', 'count-waves', 'sea.depth', '_tide'),
    args: fc.oneof(fc.constant({}), unknownMembers),
  },
  { requiredKeys: ['name', 'args'] },
);

export const callParts: fc.Arbitrary<readonly CallPart[]> = fc.uniqueArray(
  fc
    .tuple(call, fc.option(fc.base64String({ minLength: 4, maxLength: 32 }), { nil: undefined }))
    .map(([functionCall, thoughtSignature]) => ({
      functionCall,
      ...(thoughtSignature === undefined || thoughtSignature === '' ? {} : { thoughtSignature }),
    })),
  { minLength: 1, maxLength: 3, selector: ({ functionCall }) => functionCall.id ?? functionCall },
);

/** Calls without an id, with one, with a signature, two of the same function, and arguments of every type. */
export const callExamples: readonly (readonly CallPart[])[] = [
  [{ functionCall: { name: 'look_up', args: { word: 'sea' } } }],
  [{ functionCall: { id: 'call_first1', name: 'look_up', args: {} }, thoughtSignature: 'c2VhLXNlYQ==' }],
  [
    {
      functionCall: {
        id: 'call_aaaaaa',
        name: 'look_up',
        args: { a: [null, true, { b: [] }], text: 'x\n"y"' },
      },
    },
    { functionCall: { id: 'call_bbbbbb', name: 'look_up', args: { n: new JsonText('9007199254740993') } } },
  ],
];
