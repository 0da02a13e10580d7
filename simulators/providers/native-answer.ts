/** Which kind of call is answered: one body, or a stream of events. */
export const callKinds = ['plain', 'stream'] as const;
export type CallKind = (typeof callKinds)[number];

export const dialectNames = ['chat-completions', 'messages', 'generate-content'] as const;
export type DialectName = (typeof dialectNames)[number];

/** A dialect's whole answer before anything of it is on the wire. What may go wrong on the way works on this. */
export interface NativeAnswer {
  readonly dialect: DialectName;
  readonly call: CallKind;
  readonly status: number;
  /** Without `content-length` and `transfer-encoding`: how a body is delimited is the wire's matter. */
  readonly headers: Readonly<Record<string, string>>;
  /** One frame for a plain answer; for a stream one for each thing that leaves on its own. */
  readonly frames: readonly Frame[];
}

/** A part of a body that leaves in one write. */
export interface Frame {
  /** `body`; or `role`, `delta-0`…, `finish`, `usage`, `done`. */
  readonly label: string;
  readonly bytes: Buffer;
  /** When it is due, ms after the reply began. */
  readonly dueMs: number;
}
