/** Which kind of call it is: one that is answered by a body, by a stream of events, or by the id of a job that begins. */
export const callKinds = ['plain', 'stream', 'submit'] as const;
export type CallKind = (typeof callKinds)[number];

/** How an answer goes over the wire: one body, or a stream of events. That to a submit is one body. */
export const answerKinds = ['plain', 'stream'] as const;
export type AnswerKind = (typeof answerKinds)[number];

/** The dialects of upstreams with chat models. */
export const chatDialectNames = ['chat-completions', 'messages', 'generate-content'] as const;
export type ChatDialectName = (typeof chatDialectNames)[number];

/** Those of upstreams whose models make media: pictures at once; jobs that are asked after; jobs that report back. */
export const mediaDialectNames = ['images', 'jobs', 'callback-jobs'] as const;

export const dialectNames = [...chatDialectNames, ...mediaDialectNames] as const;
export type DialectName = (typeof dialectNames)[number];

/** The dialect as one of chat models. @throws RangeError for any other: what asks exists only there. */
export function chatDialect(dialect: DialectName): ChatDialectName {
  const chat = chatDialectNames.find((name) => name === dialect);
  if (chat === undefined) throw new RangeError(`${dialect} has no chat models`);
  return chat;
}

/** A dialect's whole answer before anything of it is on the wire. What may go wrong on the way works on this. */
export interface NativeAnswer {
  readonly dialect: DialectName;
  readonly call: AnswerKind;
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
