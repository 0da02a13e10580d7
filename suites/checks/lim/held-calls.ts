import type { CheckParts } from '../../engine/parts/check-parts.ts';
import type { ChatOptions, JsonObject } from '../../engine/requests.ts';
import type { Scene, UpstreamRequest } from '../../engine/scene.ts';
import { must } from '../../rules/violation.ts';
import type { LiveExchange } from '../../wire/live-exchange.ts';

/** Calls that the upstream holds back, so that all of them are in flight at once. */
export interface HeldCalls {
  readonly model: string;
  /** Releases all calls and judges that each completes. */
  finish(): Promise<void>;
  /** Releases one call and judges that it completes. */
  finishOne(): Promise<void>;
  /** Abandons all calls, like clients that disconnect. */
  abandon(): Promise<void>;
}

export interface HoldOptions {
  /** The caller of each call, in order. */
  readonly callers: readonly ChatOptions[];
  /** Further members for the call with this index. */
  readonly body?: (index: number) => JsonObject;
  /** The rule and the aspect that are broken when not all of them reach the upstream. */
  readonly requirement: string;
  readonly aspect: string;
}

interface HeldCall {
  readonly scene: Scene;
  readonly live: LiveExchange;
  readonly isStream: boolean;
}

/** As many calls of one caller. */
export function callersOf(count: number, options: ChatOptions = {}): ChatOptions[] {
  return Array.from({ length: count }, () => options);
}

/**
 * Puts calls in flight and waits until the upstream holds each: a plain one before its head, a stream before its end.
 */
export async function holdCalls(
  { target, newScene, http, judge }: CheckParts,
  options: HoldOptions,
): Promise<HeldCalls> {
  const { callers, body = (): JsonObject => ({}), requirement, aspect } = options;
  const model = target.anyModel();
  const calls = await Promise.all(
    callers.map(async (caller, index) => {
      const scene = newScene();
      const more = body(index);
      const isStream = more.stream === true;
      await scene.script({ text: 'Held for a while.', gates: [isStream ? 'end' : 'head'] });
      const label = `held ${index + 1} of ${callers.length}`;
      const live = http.openChat({ ...scene.minimal(model), ...more }, { ...caller, label });
      return { scene, live, isStream };
    }),
  );
  const held = await Promise.all(calls.map(({ scene, live }) => isHeld(scene, live)));
  if (held.includes(false)) {
    for (const { live } of calls) live.abort();
    const ended = await Promise.all(calls.map(({ live }) => live.done));
    must(false, {
      requirement,
      aspect,
      expected: `${callers.length} requests in flight at once`,
      actual: `${held.filter((reached) => reached).length} of them reach the upstream`,
      exchange: ended.find((_, index) => !held[index]),
    });
  }
  const waiting = [...calls];
  const complete = async ({ scene, live, isStream }: HeldCall): Promise<void> => {
    const [request] = await scene.requests(1);
    await scene.release(request as UpstreamRequest);
    const exchange = await live.done;
    if (isStream) judge.streamed(exchange, { requirement, aspect, model });
    else judge.completed(exchange, { requirement, aspect, model });
  };
  return {
    model,
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

/** Whether the upstream holds the call; false at once when it is answered instead. */
async function isHeld(scene: Scene, live: LiveExchange): Promise<boolean> {
  // Nobody awaits it once the call has ended, so its error is ignored.
  const held = scene.held(1).catch(() => false);
  return Promise.race([held, live.done.then(() => false)]);
}
