import type { NativeAnswer, RenderedAnswer } from '../answers/native-answer.ts';
import type { Step } from '../answers/wire-program.ts';
import type { Reply } from '../control/protocol.ts';
import type { AlteredAnswer } from '../fault-contract/fault.ts';
import type { Pace } from '../latency/pace.ts';

/** Scripted interruptions while an answer is sent. */
export type Interruptions = Pick<Reply, 'gates' | 'hang' | 'cut'>;

/**
 * What leaves for a request: an ordinary HTTP answer, or a program over the connection. Of the interruptions a program
 * takes only those before the head, since it decides everything after it.
 */
export type Outgoing = { readonly scripted?: Interruptions; readonly after?: Promise<unknown> } & (
  | { readonly answer: RenderedAnswer | NativeAnswer; readonly pace?: Pace }
  | { readonly stepsAt: (nowMs: number) => Iterable<Step> }
);

/** An answer that a fault has changed. */
export function altered(given: AlteredAnswer, scripted: Interruptions = {}, pace?: Pace): Outgoing {
  if ('steps' in given) return { scripted, stepsAt: () => given.steps };
  const paced = pace === undefined ? {} : { pace };
  return 'after' in given ? { scripted, ...paced, ...given } : { scripted, ...paced, answer: given };
}
