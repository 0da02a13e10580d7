import type { Frame } from '../answers/native-answer.ts';
import type { DrawsEntry, Send } from '../control/journal.ts';
import type { Draws } from '../scenarios/draws.ts';

/** Frames that were sent in one write. Most are never read, so they are converted on demand. */
export interface SentFrames {
  readonly frames: readonly Frame[];
  readonly startMs: number;
  readonly atMs: number;
}

export function atMsOf(sent: Send | SentFrames | undefined): number | null {
  if (sent === undefined) return null;
  return 'frames' in sent ? sent.atMs : sent.actual_ms;
}

export function sendsOf(sent: Send | SentFrames): Send | Send[] {
  if (!('frames' in sent)) return sent;
  const { frames, startMs, atMs } = sent;
  return frames.map(({ label, dueMs, bytes }) => ({
    label,
    intended_ms: startMs + dueMs,
    actual_ms: atMs,
    bytes: bytes.length,
  }));
}

/** A head as it was sent. */
export interface SentHead {
  readonly status: number;
  readonly headers: readonly (readonly [string, string])[];
}

/** The head at the start of the bytes; null for an interim head, for a part of one, or when there is none. */
export function headIn(bytes: Buffer): SentHead | null {
  const status = /^HTTP\/1\.[01] ([2-9]\d\d)/.exec(bytes.toString('latin1', 0, 12))?.[1];
  if (status === undefined) return null;
  const end = bytes.indexOf('\r\n\r\n');
  const [, ...lines] = bytes.toString('latin1', 0, end === -1 ? bytes.length : end).split('\r\n');
  const headers = lines.flatMap((line): [string, string][] => {
    const colon = line.indexOf(':');
    return colon < 1 ? [] : [[line.slice(0, colon), line.slice(colon + 1).trim()]];
  });
  return { status: Number(status), headers };
}

export function drawsEntry({ draws, disturbedBy }: { draws: Draws; disturbedBy: string | null }): DrawsEntry {
  const { seed, scenario, tenant, route, nth } = draws.of;
  return { seed, scenario, tenant, route, nth, disturbed_by: disturbedBy, drawn: { ...draws.drawn } };
}
