import type { Reply } from 'gatecheck-simulators/client';

/** One scene in so many is answered at this pace, ms: slower than a burst, and not by much. */
const [oneIn, eachMs] = [6, 30];

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
  return replies.map((reply) =>
    isPaced && isTalk(reply) ? { ...reply, pacing: { each_ms: eachMs } } : reply,
  );
}
