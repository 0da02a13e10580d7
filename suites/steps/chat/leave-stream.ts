import type { Reply } from 'gatecheck-simulators/client';
import type { Scene } from '../../engine/scene.ts';
import { textSoFar } from '../../oracle/text-so-far.ts';
import type { Rng } from '../../values/seed.ts';
import { type Exchange, isSuccess } from '../../wire/exchange.ts';
import type { LiveExchange } from '../../wire/live-exchange.ts';

/** The upstream's answer for such a stream, which is held after its first word. */
export const heldStream: Reply = {
  text: 'one two three',
  deltas: ['one ', 'two ', 'three'],
  gates: [1],
};

/** The time limit for the start of a stream, ms. */
const startedMs = 5_000;

/** Disconnects the client of a stream once its first word "one " has arrived, on any protocol. */
export async function leaveAtFirstWord(live: LiveExchange): Promise<Exchange> {
  await live.until((text) => textSoFar(text).includes('one') || text.includes('one '), startedMs);
  live.abort();
  return live.done;
}

/** Disconnects in the same way from a stream that is held after that word, and ends it at the upstream. */
export async function leaveStream(scene: Scene, live: LiveExchange): Promise<Exchange> {
  const exchange = await leaveAtFirstWord(live);
  if (!isSuccess(exchange)) return exchange;
  // A deployment may read on to learn the final count.
  if (!(await scene.closedWithClient())) await scene.release();
  return exchange;
}

/** Short everyday words, each a single token in every common vocabulary. */
const words = ['sea', 'day', 'wind', 'blue', 'ship', 'sand', 'time', 'sun', 'rock', 'wave', 'bird', 'deep'];

/** A text of this many words, so it has at least as many tokens under every tokenizer. */
export function promptOfWords(rng: Rng, count: number): string {
  const start = rng.int(words.length);
  const turn = words.map((_, index) => `${words[(start + index * 7) % words.length]} `);
  const rest = turn.slice(0, count % words.length).join('');
  return `${turn.join('').repeat(Math.floor(count / words.length))}${rest}`.slice(0, -1);
}
