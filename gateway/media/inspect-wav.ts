import type { Recording } from './inspect-mp4.ts';
import type { MediaSource } from './media-source.ts';

/** By the first bytes alone. */
export function isWav(head: Buffer): boolean {
  return head.toString('latin1', 0, 4) === 'RIFF' && head.toString('latin1', 8, 12) === 'WAVE';
}

const maxChunks = 1000;

/** Inspects a file whose samples are all present; null for a truncated file. */
export async function inspectWav(source: MediaSource): Promise<Recording | null> {
  let bytesPerSecond = 0;
  let at = 12;
  for (let chunks = 0; chunks < maxChunks; chunks += 1) {
    const head = await source.read(at, 20);
    if (head.length < 8) return null;
    const type = head.toString('latin1', 0, 4);
    const length = head.readUInt32LE(4);
    const end = at + 8 + length;
    if (end > source.bytes) return null;
    if (type === 'fmt ' && head.length >= 20) bytesPerSecond = head.readUInt32LE(16);
    if (type === 'data') return bytesPerSecond > 0 ? { seconds: length / bytesPerSecond } : null;
    // Chunks begin at even offsets.
    at = end + (length % 2);
  }
  return null;
}
