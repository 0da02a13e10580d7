import type { Scene } from '../../engine/scene.ts';
import type { UpstreamRequest } from '../../engine/upstream-request.ts';
import { type Finding, must } from '../../rules/violation.ts';
import type { Exchange } from '../../wire/exchange.ts';
import type { LiveExchange } from '../../wire/live-exchange.ts';

/** An opened call, and the judgement of its answer. */
export interface OpenCall {
  readonly scene: Scene;
  readonly live: LiveExchange;
  readonly judge: (exchange: Exchange) => void;
}

/** Calls in flight. */
export interface HeldCalls {
  /** Releases all remaining calls and judges that each completes. */
  finish(): Promise<void>;
  /** Releases the first call and judges that it completes. */
  finishOne(): Promise<void>;
  /** Abandons all remaining calls, like clients that disconnect. */
  abandon(): Promise<void>;
}

/** Waits until the upstream holds every call. If it does not, reports `rule` as broken. */
export async function holdAll(
  calls: readonly OpenCall[],
  rule: Pick<Finding, 'requirement' | 'aspect' | 'expected'>,
): Promise<HeldCalls> {
  const held = await Promise.all(calls.map(isHeld));
  if (held.includes(false)) {
    for (const { live } of calls) live.abort();
    const ended = await Promise.all(calls.map(({ live }) => live.done));
    must(false, {
      ...rule,
      actual: `${held.filter((reached) => reached).length} of them reach the upstream`,
      exchange: ended.find((_, index) => !held[index]),
    });
  }
  const waiting = [...calls];
  return {
    finish: async () => {
      await Promise.all(waiting.splice(0).map(complete));
    },
    finishOne: async () => {
      await Promise.all(waiting.splice(0, 1).map(complete));
    },
    abandon: async () => {
      for (const { live } of waiting) live.abort();
      await Promise.all(waiting.splice(0).map(({ live }) => live.done));
    },
  };
}

/** Whether the upstream holds a call; false at once when it is answered instead. */
export function isHeld({ scene, live }: Pick<OpenCall, 'scene' | 'live'>): Promise<boolean> {
  // Nothing awaits it once the call has ended, so its error is ignored.
  const held = scene.held(1).catch(() => false);
  return Promise.race([held, live.done.then(() => false)]);
}

async function complete({ scene, live, judge }: OpenCall): Promise<void> {
  const [request] = await scene.requests(1);
  await scene.release(request as UpstreamRequest);
  judge(await live.done);
}
