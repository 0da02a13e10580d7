/** What a field takes, as far as it decides which damage makes sense. */
export type Form = 'text' | 'word' | 'link' | 'number' | 'boolean' | 'list' | 'object';

/** A field of a body by its general name, and all forms that its legal values have. */
export interface BodyField {
  readonly name: string;
  readonly forms: ReadonlySet<Form>;
}
