/** A request to a model, independent of the dialect: only what determines the answer. */
export interface Prompt {
  readonly model: string;
  /** The conversation as one text. Generated content depends only on it, on the model and on the seeds. */
  readonly conversation: string;
  /** The seed that came with the request. */
  readonly seed: number | null;
  readonly stops: readonly string[];
  /** The limit on completion tokens. */
  readonly maxTokens: number | null;
  readonly tools: readonly PromptTool[];
  readonly choice: ToolChoice;
  /** Whether the request asks for the reasoning. Default false. */
  readonly thinks?: boolean;
  /** A text, or a JSON document that fits the schema (any document if the schema is null). */
  readonly format: { readonly schema: unknown } | 'text';
}

export interface PromptTool {
  readonly name: string;
  /** A JSON Schema of the arguments; anything else is treated as absent. */
  readonly parameters: unknown;
}

/** The forced call: `required` forces any tool, a name forces that tool, `auto` and `none` force nothing. */
export type ToolChoice = 'auto' | 'none' | 'required' | { readonly name: string };
