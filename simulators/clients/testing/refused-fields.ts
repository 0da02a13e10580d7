import type { RootName } from './request-types.ts';

/** A field that a request type has and that is refused, with the reason: by the reader, or before by the client. */
export interface RefusedField {
  /** The root, then how the name of the field's case begins. */
  readonly of: readonly RootName[];
  readonly field: string;
  readonly why: string;
}

/** Everything that is not accepted. A row that nothing needs any more fails the test. */
export const refusedFields: readonly RefusedField[] = [
  {
    of: ['Completions', 'PreviousCompletions'],
    field: 'ChatCompletionAssistantMessageParam.content: null',
    why: 'the provider wants a content from an assistant that calls nothing',
  },
  {
    of: ['Generate', 'CurrentGenerate'],
    field: 'GenerateContentConfig.cachedContent:',
    why: 'nothing is cached by name here',
  },
  // The client counts tokens of contents alone: schemas are not sent.
  {
    of: ['Generate', 'CurrentGenerate'],
    field: 'Schema.type: "TYPE_UNSPECIFIED"',
    why: 'the provider refuses a schema of no type',
  },
];

/** What the client says of fields that it does not send to this interface, but to another product of the provider. */
export const refusedByClient: RegExp =
  /^\w+ parameter is (?:only supported in Gemini Enterprise Agent Platform mode|not supported in Gemini)/;
