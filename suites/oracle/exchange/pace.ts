import type { Exchange, Progress } from '../../wire/exchange.ts';
import { dialectOfPath } from '../native/dialects.ts';
import type { Attempt } from './attempt.ts';
import { type Call, dialectOf } from './call.ts';
import { type SaidPiece, says, streamPieces } from './said.ts';

/** The kinds of pieces in a stream. */
const paceKinds = ['text', 'thoughts', 'calls'] as const;
export type PaceKind = (typeof paceKinds)[number];

/** The pace of one kind of piece: the time from first to last piece when sent and when received, ms. */
export interface Pace {
  readonly kind: PaceKind;
  readonly sentMs: number;
  readonly arrivedMs: number;
  /** When the first piece arrived, ms since the request was sent. */
  readonly firstAtMs: number;
}

/**
 * The pace of a stream against that of its upstream, for each kind that came in several pieces (SSE-018). Empty where one of
 * both is in an unusual form.
 */
export function pacesOf({ response }: Exchange, call: Call, attempt: Attempt): Pace[] {
  const [ours, theirs] = [dialectOf(call.protocol), dialectOfPath(attempt.path)];
  if (!call.stream || response === null || ours === null || theirs === null || !attempt.isWhole) return [];
  const [sent, got] = [streamPieces(theirs, attempt.answer), streamPieces(ours, response.body)];
  if (sent === null || got === null) return [];
  return paceKinds.flatMap((kind) => {
    const [from, to] = [spanOf(kind, sent, attempt.sends), spanOf(kind, got, response.arrivals ?? [])];
    if (from === null || to === null) return [];
    return [
      { kind, sentMs: from.lastMs - from.firstMs, arrivedMs: to.lastMs - to.firstMs, firstAtMs: to.firstMs },
    ];
  });
}

/** When the first content of a stream arrived, ms since the request; null if none did. */
export function saysFrom({ response }: Exchange, call: Call): number | null {
  const dialect = dialectOf(call.protocol);
  if (!call.stream || response === null || dialect === null) return null;
  return timeOf(streamPieces(dialect, response.body)?.find(says), response.arrivals ?? []);
}

/** When the first and the last piece of a kind came, ms; null where there are not two. */
function spanOf(
  kind: PaceKind,
  pieces: readonly SaidPiece[],
  progress: readonly Progress[],
): { firstMs: number; lastMs: number } | null {
  const own = pieces.filter((piece) => has(kind, piece));
  const [firstMs, lastMs] = [own[0], own.at(-1)].map((piece) => timeOf(piece, progress));
  return own.length < 2 || firstMs == null || lastMs == null ? null : { firstMs, lastMs };
}

function has(kind: PaceKind, { text = '', thoughts = '', calls = [] }: SaidPiece): boolean {
  if (kind === 'calls') return calls.some((call) => (call.text ?? '') !== '');
  return (kind === 'text' ? text : thoughts) !== '';
}

function timeOf(piece: SaidPiece | undefined, progress: readonly Progress[]): number | null {
  if (piece === undefined) return null;
  return progress.find(({ bytesSoFar }) => bytesSoFar >= piece.endOffset)?.atMs ?? null;
}
