import type { TextFrame } from '../answers/native-answer.ts';
import type { Send } from '../control/journal.ts';

/**
 * A whole answer that was sent in one write, kept as its bytes. A journal holds thousands, and most are never read, so frames
 * are extracted on demand.
 */
export class SentText {
  /** The body on the wire. */
  readonly wire: Buffer;
  /** The size of all frames, without chunk framing. */
  readonly bytes: number;
  readonly startMs: number;
  readonly atMs: number;
  readonly #labels: readonly string[];
  readonly #lengths: readonly number[];
  readonly #isChunked: boolean;

  constructor(frames: readonly TextFrame[], isChunked: boolean, { startMs, atMs }: SentAt) {
    this.#labels = frames.map(({ label }) => label);
    this.#isChunked = isChunked;
    this.startMs = startMs;
    this.atMs = atMs;
    let lengths = frames.map(({ text }) => text.length);
    let wire = wireOf(frames, lengths, isChunked);
    const isAscii = Buffer.byteLength(wire) === wire.length;
    if (!isAscii) {
      // Characters are more than one byte here, so each frame is measured.
      lengths = frames.map(({ text }) => Buffer.byteLength(text));
      wire = wireOf(frames, lengths, isChunked);
    }
    this.wire = Buffer.from(wire, isAscii ? 'latin1' : 'utf8');
    this.bytes = lengths.reduce((sum, length) => sum + length, 0);
    this.#lengths = lengths;
  }

  get frames(): number {
    return this.#lengths.length;
  }

  /** The head that was sent with the body, and each frame. */
  get sends(): Send[] {
    const [intended, actual] = [this.startMs, this.atMs];
    return [
      { label: 'head', intended_ms: intended, actual_ms: actual, bytes: 0 },
      ...this.#labels.map((label, k) => ({
        label,
        intended_ms: intended,
        actual_ms: actual,
        bytes: this.#lengths[k] ?? 0,
      })),
    ];
  }

  get body(): Buffer {
    const { wire } = this;
    if (!this.#isChunked) return wire;
    const parts: Buffer[] = [];
    let at = 0;
    for (const length of this.#lengths) {
      if (length === 0) continue;
      at += length.toString(16).length + lineEnd;
      parts.push(wire.subarray(at, at + length));
      at += length + lineEnd;
    }
    return Buffer.concat(parts);
  }
}

/** The frames as one text. If chunked, each is a chunk of its length. */
function wireOf(frames: readonly TextFrame[], lengths: readonly number[], isChunked: boolean): string {
  let wire = '';
  for (let k = 0; k < frames.length; k += 1) {
    const text = frames[k]?.text ?? '';
    // An empty chunk would end the body.
    if (isChunked && text !== '') wire += `${(lengths[k] ?? 0).toString(16)}\r\n${text}\r\n`;
    else wire += text;
  }
  return isChunked ? `${wire}0\r\n\r\n` : wire;
}

/** When the answer began, and when it left. */
export interface SentAt {
  readonly startMs: number;
  readonly atMs: number;
}

const lineEnd = 2;
