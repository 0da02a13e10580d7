import type { TextFrame } from '../answers/native-answer.ts';
import type { Send } from '../control/protocol.ts';

/**
 * A whole answer that left in one write, kept as the one text that it was. A journal holds thousands and most are never read:
 * frames are cut out of it when they are.
 */
export class SentText {
  /** The body on the wire. */
  readonly wire: string;
  /** Of all frames, without what chunks add. */
  readonly bytes: number;
  readonly startMs: number;
  readonly atMs: number;
  readonly #labels: readonly string[];
  readonly #lengths: readonly number[];
  readonly #isChunked: boolean;

  constructor(frames: readonly TextFrame[], isChunked: boolean, { startMs, atMs }: SentAt) {
    let whole = '';
    for (const { text } of frames) whole += text;
    const bytes = Buffer.byteLength(whole);
    // Characters are bytes then, which are counted once for all.
    const isAscii = bytes === whole.length;
    let wire = '';
    const labels: string[] = [];
    const lengths: number[] = [];
    for (const { label, text } of frames) {
      const length = isAscii ? text.length : Buffer.byteLength(text);
      labels.push(label);
      lengths.push(length);
      // A chunk without bytes would end the body.
      if (isChunked && length > 0) wire += `${length.toString(16)}\r\n${text}\r\n`;
      else wire += text;
    }
    this.wire = isChunked ? `${wire}0\r\n\r\n` : wire;
    this.bytes = bytes;
    this.startMs = startMs;
    this.atMs = atMs;
    this.#labels = labels;
    this.#lengths = lengths;
    this.#isChunked = isChunked;
  }

  get frames(): number {
    return this.#lengths.length;
  }

  /** The head, which left with it, and each frame. */
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
    const wire = Buffer.from(this.wire);
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

/** When the answer began, and when it left. */
export interface SentAt {
  readonly startMs: number;
  readonly atMs: number;
}

const lineEnd = 2;
