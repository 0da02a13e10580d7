/** How the answer to one call of the messages dialect is read. */
export interface Reading {
  /** A tool that is ours: its input is the text of the answer. Null for none. */
  readonly textTool: string | null;
  readonly newCallId: () => string;
  /** What a common answer has no place for is kept beside it, digits included. */
  readonly keepNative: boolean;
}
