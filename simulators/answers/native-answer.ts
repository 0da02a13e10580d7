/** The kinds of calls: answered by one body, by a stream of events, or by the id of a job. */
export const callKinds = ['plain', 'stream', 'submit'] as const;
export type CallKind = (typeof callKinds)[number];

/** How an answer is sent: one body, or a stream of events. The answer to a submit is one body. */
export const answerKinds = ['plain', 'stream'] as const;
export type AnswerKind = (typeof answerKinds)[number];

/** The dialects of upstreams with chat models. */
export const chatDialectNames = ['chat-completions', 'messages', 'generate-content'] as const;
export type ChatDialectName = (typeof chatDialectNames)[number];

/** The dialects of media upstreams: immediate images, polled jobs, jobs with callbacks. */
export const mediaDialectNames = ['images', 'jobs', 'callback-jobs'] as const;

/** The dialects whose providers have variants. */
export const variedDialectNames = [...chatDialectNames, ...mediaDialectNames] as const;
export type VariedDialectName = (typeof variedDialectNames)[number];

/** `responses` is the newer API of the chat-completions provider. Its answers differ; its errors are the same. */
export const dialectNames = [...chatDialectNames, 'responses', ...mediaDialectNames] as const;
export type DialectName = (typeof dialectNames)[number];

/** The versions of a dialect that upstreams simulate: that of the provider's newest client, and the one before. */
export const dialectVersions = ['current', 'previous'] as const;
export type DialectVersion = (typeof dialectVersions)[number];

/**
 * Narrows to a dialect of chat models. @throws RangeError for any other: the caller's feature exists only
 * there.
 */
export function chatDialect(dialect: DialectName): ChatDialectName {
  if (!isChatDialect(dialect)) throw new RangeError(`${dialect} has no chat models`);
  return dialect;
}

export function isChatDialect(dialect: DialectName): dialect is ChatDialectName {
  return chatDialectNames.some((name) => name === dialect);
}

/** A dialect's complete answer before it is sent. Cuts and faults work on this value. */
export interface NativeAnswer {
  readonly dialect: DialectName;
  readonly call: AnswerKind;
  readonly status: number;
  /** Without `content-length` and `transfer-encoding`: the sender delimits the body. */
  readonly headers: Readonly<Record<string, string>>;
  /** One frame for a plain answer; for a stream one per write. */
  readonly frames: readonly Frame[];
}

/** A frame as a dialect renders it. Most answers leave whole, so the bytes of their frames are rarely needed. */
export interface TextFrame {
  readonly label: string;
  readonly text: string;
  readonly dueMs: number;
}

export type RenderedFrame = Frame | TextFrame;

/** An answer as a dialect renders it. */
export interface RenderedAnswer extends Omit<NativeAnswer, 'frames'> {
  readonly frames: readonly RenderedFrame[];
}

export function nativeAnswer(rendered: RenderedAnswer): NativeAnswer {
  return { ...rendered, frames: rendered.frames.map(frameOf) };
}

function frameOf(rendered: RenderedFrame): Frame {
  if ('bytes' in rendered) return rendered;
  const { label, text, dueMs } = rendered;
  return { label, bytes: Buffer.from(text), dueMs };
}

/** A part of a body that leaves in one write. */
export interface Frame {
  /** `body`; or `role`, `delta-0`…, `finish`, `usage`, `done`. */
  readonly label: string;
  readonly bytes: Buffer;
  /** When it is due, ms after the reply began. */
  readonly dueMs: number;
}
