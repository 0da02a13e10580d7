import type { UpstreamReply } from './call.ts';
import { type ClientLeft, failure, type UpstreamFailure } from './outcome.ts';

/** Error bodies are only looked at to classify them. */
const ERROR_BYTES = 64 * 1024;

/** Reads a whole answer; every byte counts as progress. */
export async function readAnswer(
  reply: UpstreamReply,
): Promise<{ kind: 'whole'; bytes: Buffer } | UpstreamFailure | ClientLeft> {
  const chunks: Buffer[] = [];
  for (;;) {
    const step = await reply.read();
    if (step.kind === 'done') return { kind: 'whole', bytes: Buffer.concat(chunks) };
    if (step.kind !== 'bytes') return step;
    reply.progress();
    chunks.push(step.bytes);
  }
}

/** The JSON at the start of an error answer, or undefined: how the answer failed does not matter any more. */
export async function readErrorBody(reply: UpstreamReply): Promise<unknown> {
  const chunks: Buffer[] = [];
  let length = 0;
  while (length < ERROR_BYTES) {
    const step = await reply.read();
    if (step.kind !== 'bytes') break;
    reply.progress();
    chunks.push(step.bytes);
    length += step.bytes.length;
  }
  reply.close();
  return parseJson(Buffer.concat(chunks).toString('utf8'));
}

/** JSON as a value; undefined when the text is none. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Refuses an answer whose body is compressed although we asked for none, or of another type than asked for. */
export function checkForm({ headers }: UpstreamReply, wanted: string): UpstreamFailure | null {
  const encoding = headers['content-encoding'];
  if (encoding !== undefined && encoding !== 'identity') return failure('unusable', 'the answer is encoded');
  const type = headers['content-type'];
  const ok = type === undefined || type.toLowerCase().split(';', 1)[0]?.trim() === wanted;
  return ok ? null : failure('unusable', 'the answer has another content type');
}
