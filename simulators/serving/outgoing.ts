import type { NativeAnswer, RenderedAnswer } from '../answers/native-answer.ts';
import { http2Ends, type Step } from '../answers/wire-program.ts';
import type { Reply } from '../control/protocol.ts';
import type { AlteredAnswer } from '../fault-contract/fault.ts';
import type { Pace } from '../latency/pace.ts';

/** Scripted interruptions while an answer is sent. */
export type Interruptions = Pick<Reply, 'gates' | 'hang' | 'cut'> & {
  /** Whether the connection accepts no further request. */
  readonly retires?: boolean;
};

/**
 * The answer to send: ordinary HTTP, or a program over the connection. A program accepts only interruptions before the head,
 * because it decides everything after it.
 */
export type Outgoing = {
  readonly scripted?: Interruptions;
  readonly after?: Promise<unknown>;
  /** What leaves where a gate before the head is opened with another reply. */
  readonly instead?: (reply: Reply) => Outgoing;
} & (
  | { readonly answer: RenderedAnswer | NativeAnswer; readonly pace?: Pace }
  | { readonly stepsAt: (nowMs: number) => Iterable<Step> }
);

/** An answer that a fault has changed. */
export function altered(given: AlteredAnswer, scripted: Interruptions = {}, pace?: Pace): Outgoing {
  if ('steps' in given) return { scripted, stepsAt: () => given.steps };
  const paced = pace === undefined ? {} : { pace };
  return 'after' in given ? { scripted, ...paced, ...given } : { scripted, ...paced, answer: given };
}

/** The answer for an HTTP version, or why that version does not support it. */
export function overHttp(http: 1 | 2, outgoing: Outgoing): Outgoing | { readonly misfit: string } {
  const { cut } = outgoing.scripted ?? {};
  const isOfHttp2 = cut !== undefined && http2Ends.some((one) => one === cut.by);
  if (http === 1) return isOfHttp2 ? { misfit: `a cut by ${cut.by} needs a request over HTTP/2` } : outgoing;
  if (!('stepsAt' in outgoing)) {
    const isOfHttp1 = cut?.by === 'half-close' || cut?.after === 'between-cr-lf';
    return isOfHttp1 ? { misfit: 'HTTP/2 has neither a half-close nor chunks' } : outgoing;
  }
  const steps: Step[] = [];
  for (const step of outgoing.stepsAt(0)) {
    if (step.do === 'write') return { misfit: 'it sends bytes of HTTP/1, and the request came over HTTP/2' };
    steps.push(step);
    if (step.do === 'end') break;
  }
  return { ...outgoing, stepsAt: () => steps };
}
