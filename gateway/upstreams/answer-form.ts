import type { BodyStep, UpstreamReply } from './call.ts';
import { type ClientLeft, failure, type UpstreamFailure } from './outcome.ts';

/** What a body looks like, whatever its label says (fault H22): JSON, server-sent events, or neither. */
export type AnswerForm = 'object' | 'array' | 'events' | 'other';

/** What may stand before the first sign of a body: white space, and the bytes of a byte order mark. */
const blank: ReadonlySet<number> = new Set(Buffer.from(' \t\r\n\uFEFF'));

/** Reads as far as the first byte that says something, and hands back an answer that still has it. */
export async function peekForm(
  reply: UpstreamReply,
): Promise<{ kind: 'form'; form: AnswerForm; reply: UpstreamReply } | UpstreamFailure | ClientLeft> {
  for (;;) {
    const step = await reply.read();
    if (step.kind === 'done') return failure('unusable', 'the answer is empty', { status: reply.status });
    if (step.kind !== 'bytes') return step;
    const start = step.bytes.findIndex((byte) => !blank.has(byte));
    // Blanks keep a connection alive; they are no progress.
    if (start === -1) continue;
    const bytes = step.bytes.subarray(start);
    return { kind: 'form', form: formOf(bytes), reply: withFirst({ kind: 'bytes', bytes }, reply) };
  }
}

function formOf([first = 0]: Buffer): AnswerForm {
  const sign = String.fromCharCode(first);
  if (sign === '{') return 'object';
  if (sign === '[') return 'array';
  // A field, or the colon of a comment.
  return /[a-z:]/.test(sign) ? 'events' : 'other';
}

function withFirst(first: BodyStep, reply: UpstreamReply): UpstreamReply {
  let held: BodyStep | null = first;
  const read = async (): Promise<BodyStep> => {
    const step = held ?? (await reply.read());
    held = null;
    return step;
  };
  return { ...reply, read };
}
