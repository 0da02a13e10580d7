import { pipeline, Readable, type Transform } from 'node:stream';
import {
  constants,
  createBrotliDecompress,
  createGunzip,
  createInflate,
  createInflateRaw,
  createZstdDecompress,
} from 'node:zlib';
import type { Reception } from './reception.ts';

/** The answer has a compression that the gateway does not know. */
export class UnknownCoding extends Error {
  readonly code = 'GATEWAY_UNKNOWN_CODING';
}

/** No honest upstream compresses more often than this. */
const maxCodings = 2;
/** Largest window of a zstd stream, as a power of two: the limit that HTTP sets for senders. */
const zstdWindowLog = 23;
/** Labels that say nothing about compression; some senders put them in its place. */
const plain = ['', 'identity', 'none', 'binary', 'utf-8', 'utf8', 'chunked', 'aws-chunked'];
/** Enough bytes to recognise gzip, zlib and zstd. */
const headBytes = 4;
/** How answers begin without compression, which no compressed one does. */
const answerText = /^(?:\{\s*"|\[\s*\{|data: ?[{[]|event: ?[a-z])/;
const headLength = 32;
const gzip = [0x1f, 0x8b];
const zstd = [0x28, 0xb5, 0x2f, 0xfd];

/**
 * A body after decompression. Upstreams may compress unasked, with or without a label (faults P1 and P2). Decoding works
 * piece by piece, so no more is unpacked than is read. gzip and zstd are recognised by their first bytes, whatever the label.
 */
export class DecodedBody {
  readonly #source: Reception;
  readonly #label: string | undefined;
  /** The source of the decoded bytes, once the first bytes have shown the compression. */
  #inner: AsyncIterator<Buffer> | null = null;
  #isEncoded = false;

  constructor(source: Reception, label: string | undefined) {
    this.#source = source;
    this.#label = label;
  }

  /** Whether the body needs decoding. Then it is not worth reading the rest just to keep the connection. */
  get isEncoded(): boolean {
    return this.#isEncoded;
  }

  /** The bytes that have arrived, if they need no decoding; null if the caller must use `next`. */
  take(): Buffer | null {
    if (this.#inner === null) {
      const first = this.#label === undefined ? this.#source.peek() : null;
      if (first === null || first.length < headBytes || begins(first, gzip) || begins(first, zstd))
        return null;
      this.#inner = this.#source;
    }
    return this.#inner === this.#source ? this.#source.take() : null;
  }

  /** The source has been read to its end, and no decoder may hold anything back. */
  get isRead(): boolean {
    return this.#inner === this.#source && this.#source.isRead;
  }

  /** The next bytes. Rejects when they cannot be decoded, or with the error of the source. */
  async next(): Promise<IteratorResult<Buffer, unknown>> {
    if (this.#inner !== null) return await this.#inner.next();
    const head = await headOf(this.#source);
    if (head.length === 0) return { done: true, value: null };
    const decoders = decodersFor(codingsIn(this.#label), head);
    this.#isEncoded = decoders.length > 0;
    if (this.#isEncoded) {
      this.#inner = decoded(joined(head, this.#source), decoders);
      return await this.#inner.next();
    }
    this.#inner = this.#source;
    return { done: false, value: head };
  }
}

/** Chains the decoders; the errors of all reach the reader of the last. */
function decoded(whole: AsyncIterable<Buffer>, decoders: readonly Transform[]): AsyncIterator<Buffer> {
  const last: Readable = pipeline([Readable.from(whole), ...decoders], () => {}) as Transform;
  return last[Symbol.asyncIterator]();
}

/** The first bytes; more than one piece is read only while they could begin a compressed body. */
async function headOf(rest: AsyncIterator<Buffer>): Promise<Buffer> {
  let head: Buffer = Buffer.alloc(0);
  while (
    head.length < headBytes &&
    [gzip, zstd].some((magic) => magic.slice(0, head.length).every((byte, i) => byte === head[i]))
  ) {
    const { done, value } = await rest.next();
    if (done) break;
    head = head.length === 0 ? value : Buffer.concat([head, value]);
  }
  return head;
}

async function* joined(head: Buffer, rest: AsyncIterator<Buffer>): AsyncGenerator<Buffer> {
  yield head;
  for (;;) {
    const { done, value } = await rest.next();
    if (done) return;
    yield value;
  }
}

function codingsIn(label: string | undefined): string[] {
  const codings = (label ?? '')
    .toLowerCase()
    .split(',')
    .map((coding) => coding.trim());
  return codings.filter((coding) => !plain.includes(coding));
}

/** The decoders in the order of use: the compression applied last is removed first. */
function decodersFor(codings: readonly string[], head: Buffer): Transform[] {
  if (codings.length > maxCodings) throw new UnknownCoding();
  const seen = begins(head, gzip) ? 'gzip' : begins(head, zstd) ? 'zstd' : null;
  if (codings.length === 0) return seen === null ? [] : [decoderFor(seen, head)];
  // Labelled but not compressed: some proxies decompress and leave the label.
  const isMarked = ['gzip', 'x-gzip', 'zstd'].includes(codings.at(-1) ?? '');
  if (seen === null && (isMarked || answerText.test(head.toString('latin1', 0, headLength)))) return [];
  return codings.toReversed().map((coding, i) => decoderFor(coding, i === 0 ? head : null));
}

function decoderFor(coding: string, head: Buffer | null): Transform {
  switch (coding) {
    case 'gzip':
    case 'x-gzip':
      return createGunzip();
    case 'deflate':
      // By the standard `deflate` is zlib, but some senders omit its frame.
      return head === null || isZlib(head) ? createInflate() : createInflateRaw();
    case 'br':
      return createBrotliDecompress();
    case 'zstd':
      return createZstdDecompress({ params: { [constants.ZSTD_d_windowLogMax]: zstdWindowLog } });
    default:
      throw new UnknownCoding();
  }
}

function isZlib(head: Buffer): boolean {
  const [first = 0, second = 0] = head;
  return (first & 0x0f) === 8 && (first * 256 + second) % 31 === 0;
}

function begins(head: Buffer, magic: readonly number[]): boolean {
  return magic.every((byte, i) => head[i] === byte);
}
