import type { Reply } from 'gatecheck-simulators/client';

/** One scene in so many is answered at this pace, ms: slower than a burst, and not by much. */
const [oneIn, eachMs] = [6, 30];

/** What is longer, characters or pieces, comes at once: it would take seconds, and others wait for it. */
const [mostText, mostPieces] = [2_000, 40];

/** What only says something: all else has its own times. */
const talk = [
  'text',
  'deltas',
  'tool_calls',
  'argument_deltas',
  'usage',
  'finish',
  'model',
  'obey',
  'strict',
];

/**
 * The replies of a scene, in some scenes with time between their pieces, so that it shows whether a gateway forwards them as
 * they come (SSE-018). The marker draws which.
 */
export function withDrawnPace(marker: string, replies: readonly Reply[]): Reply[] {
  const isPaced = Number.parseInt(marker.slice(-4), 16) % oneIn === 0;
  const isTalk = (reply: Reply): boolean =>
    Object.keys(reply).length > 0 && Object.keys(reply).every((name) => talk.includes(name));
  const isShort = ({ text, deltas, argument_deltas: calls }: Reply): boolean =>
    (text?.length ?? 0) <= mostText && (deltas?.length ?? 0) + (calls ?? 0) <= mostPieces;
  return replies.map((reply) =>
    isPaced && isTalk(reply) && isShort(reply) ? { ...reply, pacing: { each_ms: eachMs } } : reply,
  );
}
