/** How to read the answer to one call of the messages dialect. */
export interface Reading {
  /** A tool that the gateway added: its input is the text of the answer. Null for none. */
  readonly textTool: string | null;
  readonly newCallId: () => string;
  /** Native-only fields are kept beside the common answer, with all digits. */
  readonly keepNative: boolean;
}
