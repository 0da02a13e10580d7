import type { Reply } from 'gatecheck-simulators/client';
import type { Scene } from '../../engine/scene.ts';
import { textSoFar } from '../../oracle/text-so-far.ts';
import type { Exchange } from '../../wire/exchange.ts';
import type { LiveExchange } from '../../wire/live-exchange.ts';

/** What the upstream of such a stream says: it is held after its first word. */
export const heldStream: Reply = {
  text: 'one two three',
  deltas: ['one ', 'two ', 'three'],
  gates: [1],
};

/** The time limit for the start of a stream, ms. */
const startedMs = 5_000;

/** Disconnects the client of a stream, held after its first word "one ", once that word is there, on any protocol. */
export async function leaveStream(scene: Scene, live: LiveExchange): Promise<Exchange> {
  await live.until((text) => textSoFar(text).includes('one') || text.includes('one '), startedMs);
  live.abort();
  // A deployment may read on to learn the final count.
  if (!(await scene.ended(1))) await scene.release();
  return live.done;
}
