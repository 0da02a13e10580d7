import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib';
import type { DialectName, Frame } from '../answers/native-answer.ts';
import type { Judged } from '../providers/dialect.ts';
import type { ProviderAnswer } from './call-provider.ts';
import { labelFrames } from './label-frames.ts';

/** A provider's answer, and the headers that all of its answers share. */
export type RealAnswer = Judged & { readonly common: Readonly<Record<string, string>> };

/** The maximum size of an answer that faults can change, bytes. */
const maxBytes = 64 * 1024 * 1024;

/** Headers that describe a single body. */
const ofBody = /^(?:content|cache)-/;

const bound = { maxOutputLength: maxBytes };
const decoders: Readonly<Record<string, (body: Buffer) => Buffer>> = {
  gzip: (body) => gunzipSync(body, bound),
  br: (body) => brotliDecompressSync(body, bound),
  deflate: (body) => inflateSync(body, bound),
};

/**
 * Reads an answer to its end, so that faults can change it. An error, or a stream without an end, stays unchanged. Rejects
 * when the provider breaks off.
 */
export async function readAnswer(dialect: DialectName, answer: ProviderAnswer): Promise<RealAnswer> {
  const { status } = answer;
  const { 'content-length': _length, 'content-encoding': encoding, ...given } = answer.headers;
  const [headers, common] = [true, false].map((isOfBody) =>
    Object.fromEntries(Object.entries(given).filter(([name]) => ofBody.test(name) === isOfBody)),
  ) as [Record<string, string>, Record<string, string>];
  const body = decoded(await collected(answer), encoding);
  const frames = framesOf(dialect, headers['content-type'] ?? '', body);
  if (status >= 400 || frames === null) return { ok: false, refusal: { status, headers, body }, common };
  return { ok: true, call: frames.length > 1 ? 'stream' : 'plain', status, headers, frames, common };
}

async function collected({ body }: ProviderAnswer): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of body) {
    chunks.push(chunk);
    length += chunk.length;
    if (length > maxBytes) throw new RangeError(`an answer of more than ${maxBytes} bytes`);
  }
  return Buffer.concat(chunks);
}

function decoded(body: Buffer, encoding = 'identity'): Buffer {
  return decoders[encoding]?.(body) ?? body;
}

function framesOf(dialect: DialectName, type: string, body: Buffer): readonly Frame[] | null {
  return type.startsWith('text/event-stream')
    ? labelFrames(dialect, body)
    : [{ label: 'body', bytes: body, dueMs: 0 }];
}
