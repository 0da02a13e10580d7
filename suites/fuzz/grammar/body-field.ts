/** The kind of value that a field accepts, which decides which damage makes sense. */
export type Form = 'text' | 'word' | 'link' | 'number' | 'boolean' | 'list' | 'object';

/** A field of a body by its general name, with all forms of its legal values. */
export interface BodyField {
  readonly name: string;
  readonly forms: ReadonlySet<Form>;
}
