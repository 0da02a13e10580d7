/** A tool call that a client passed to its user. */
export interface Called {
  readonly name: string;
  readonly args: unknown;
}

/** A client library with URL and key, for one model. */
export interface Subject {
  readonly client: string;
  /** The required setting, as a line of code. */
  readonly setting: string;
  readonly path: 'core' | 'compat A' | 'compat B';
  readonly model: string;
  /** Whether the model accepts images. */
  readonly sees: boolean;
  /** Whether it requests structured output through a tool named `answer`. */
  readonly objectByTool?: true;
  text(signal?: AbortSignal): Promise<string>;
  stream(): Promise<string>;
  calls(streamed: boolean): Promise<readonly Called[]>;
  object(): Promise<unknown>;
  image(png: string): Promise<string>;
  /** Calls an unknown model, without client retries. */
  unknownModel(): Promise<unknown>;
  cachedTokens(): Promise<number | undefined>;
}

/** The tools that every client sends. */
export const toolNames = ['look_up', 'spell'] as const;
