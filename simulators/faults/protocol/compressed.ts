import { brotliCompressSync, constants, crc32, deflateRawSync } from 'node:zlib';
import type { Frame } from '../../answers/native-answer.ts';

/**
 * The frames as one gzip stream. Each frame is still a separate write that can be decoded when it arrives.
 * Checksum and length come with the last frame.
 */
export function gzipFrames(frames: readonly Frame[]): Frame[] {
  const whole = Buffer.concat(frames.map(({ bytes }) => bytes));
  const trailer = Buffer.alloc(gzipTrailerBytes);
  trailer.writeUInt32LE(crc32(whole), 0);
  trailer.writeUInt32LE(whole.length % 2 ** 32, 4);
  return enclosed(gzipHead, deflated(frames), Buffer.concat([lastBlock, trailer]));
}

/** The end of a gzip stream: checksum and length, 4 bytes each. */
export const gzipTrailerBytes = 8;

/** The same in zlib format, which HTTP calls `deflate`. */
export function deflateFrames(frames: readonly Frame[]): Frame[] {
  const trailer = Buffer.alloc(4);
  trailer.writeUInt32BE(adler32(Buffer.concat(frames.map(({ bytes }) => bytes))));
  return enclosed(zlibHead, deflated(frames), Buffer.concat([lastBlock, trailer]));
}

/** The whole body in one write when the last frame is due: this compressor needs all input first. */
export function brotliFrames(frames: readonly Frame[]): Frame[] {
  const last = frames.at(-1);
  if (last === undefined) return [];
  const bytes = brotliCompressSync(Buffer.concat(frames.map((frame) => frame.bytes)));
  return [{ ...last, bytes }];
}

const gzipHead: Buffer = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3]);
const zlibHead: Buffer = Buffer.from([0x78, 0x9c]);
/** An empty deflate block that is marked as the last. */
const lastBlock: Buffer = deflateRawSync(Buffer.alloc(0));

/** Compresses each frame independently and ends it on a whole byte, so that the results can be joined. */
function deflated(frames: readonly Frame[]): Frame[] {
  const options = { finishFlush: constants.Z_SYNC_FLUSH };
  return frames.map((frame) => ({
    ...frame,
    bytes: frame.bytes.length === 0 ? frame.bytes : deflateRawSync(frame.bytes, options),
  }));
}

function enclosed(head: Buffer, frames: readonly Frame[], tail: Buffer): Frame[] {
  return frames.map((frame, at) => ({
    ...frame,
    bytes: Buffer.concat([
      ...(at === 0 ? [head] : []),
      frame.bytes,
      ...(at === frames.length - 1 ? [tail] : []),
    ]),
  }));
}

function adler32(bytes: Buffer): number {
  let [low, high] = [1, 0];
  for (const byte of bytes) {
    low = (low + byte) % 65_521;
    high = (high + low) % 65_521;
  }
  return high * 2 ** 16 + low;
}
