/** A call of a tool that a client handed to its user. */
export interface Called {
  readonly name: string;
  readonly args: unknown;
}

/** A client library with its address and key, on one model. */
export interface Subject {
  readonly client: string;
  /** What has to be set for it, as a line of code. */
  readonly setting: string;
  readonly path: 'core' | 'compat A' | 'compat B';
  readonly model: string;
  /** Whether the model takes images. */
  readonly sees: boolean;
  /** Whether it asks for structured output by a tool named `answer`. */
  readonly objectByTool?: true;
  text(signal?: AbortSignal): Promise<string>;
  stream(): Promise<string>;
  calls(streamed: boolean): Promise<readonly Called[]>;
  object(): Promise<unknown>;
  image(png: string): Promise<string>;
  /** A call of a model that does not exist, without tries of its own. */
  unknownModel(): Promise<unknown>;
  cachedTokens(): Promise<number | undefined>;
}

/** The tools that every client offers. */
export const toolNames = ['look_up', 'spell'] as const;
