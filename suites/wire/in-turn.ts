import { Readable } from 'node:stream';
import type { Deadline } from './deadline.ts';
import type { Pace } from './pace.ts';

/** An answer as the deployment sends it, of which the body is still to be read. */
export interface RawAnswer {
  readonly status: number;
  readonly headers: [string, string][];
  readonly body: Readable;
}

/**
 * Sends when it is its turn, and again after each refusal by the limit of calls. The deadline does not count these waits.
 */
export async function inTurn(
  ask: () => Promise<RawAnswer>,
  {
    pace,
    deadline,
    signal,
  }: { readonly pace: Pace; readonly deadline: Deadline; readonly signal: AbortSignal },
): Promise<RawAnswer> {
  const untimed = async <T>(waits: Promise<T>): Promise<T> => {
    deadline.pause();
    try {
      return await waits;
    } finally {
      deadline.resume();
    }
  };
  await untimed(pace.turn(signal));
  for (let refusals = 0; ; refusals += 1) {
    const answer = await ask();
    const { status, headers, body } = answer;
    if (status !== 429) return answer;
    const bytes = Buffer.concat(await body.toArray());
    const [, retryAfter = null] = headers.find(([name]) => /^retry-after$/i.test(name)) ?? [];
    const refusal = { status, headers, retryAfter, text: bytes.toString('utf8', 0, 4_096) };
    if (!(await untimed(pace.refused(refusal, refusals, signal))))
      return { ...answer, body: Readable.from([bytes]) };
  }
}
