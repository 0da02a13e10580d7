import type { BodyStep, UpstreamReply } from './call.ts';
import { type ClientLeft, failure, type UpstreamFailure } from './outcome.ts';

/** The form of a body, whatever its content type (fault H22): JSON, server-sent events, or neither. */
export type AnswerForm = 'object' | 'array' | 'events' | 'other';

/** Bytes that may precede a body: white space, and a byte order mark. */
const blank: ReadonlySet<number> = new Set(Buffer.from(' \t\r\n\uFEFF'));

/** Reads up to the first significant byte, and returns the form with an answer that still has all its bytes. */
export async function peekForm(
  reply: UpstreamReply,
): Promise<{ kind: 'form'; form: AnswerForm; reply: UpstreamReply } | UpstreamFailure | ClientLeft> {
  for (;;) {
    const reading = reply.read();
    const step = reading instanceof Promise ? await reading : reading;
    if (step.kind === 'done') return failure('unusable', 'the answer is empty', { status: reply.status });
    if (step.kind !== 'bytes') return step;
    let start = 0;
    while (start < step.bytes.length && blank.has(step.bytes[start] ?? 0)) start += 1;
    // White space keeps a connection alive; it does not count as progress.
    if (start === step.bytes.length) continue;
    const bytes = step.bytes.subarray(start);
    return { kind: 'form', form: formOf(bytes), reply: withFirst({ kind: 'bytes', bytes }, reply) };
  }
}

function formOf([first = 0]: Buffer): AnswerForm {
  const sign = String.fromCharCode(first);
  if (sign === '{') return 'object';
  if (sign === '[') return 'array';
  // A field name, or the colon of a comment.
  return /[a-z:]/.test(sign) ? 'events' : 'other';
}

function withFirst(first: BodyStep, reply: UpstreamReply): UpstreamReply {
  let held: BodyStep | null = first;
  const read = (): Promise<BodyStep> | BodyStep => {
    if (held === null) return reply.read();
    const step = held;
    held = null;
    return step;
  };
  return { ...reply, read };
}
