import type { CheckParts } from '../../engine/parts/check-parts.ts';
import type { ChatOptions, JsonObject } from '../../engine/requests.ts';
import { type HeldCalls, holdAll } from '../../steps/ways/hold-all.ts';
import type { Exchange } from '../../wire/exchange.ts';

export interface HoldOptions {
  /** The caller of each call, in order. */
  readonly callers: readonly ChatOptions[];
  /** Further members for the call with this index. */
  readonly body?: (index: number) => JsonObject;
  /** The rule that is violated when not all calls reach the upstream. */
  readonly requirement: string;
  readonly aspect: string;
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
): Promise<HeldCalls & { readonly model: string }> {
  const { callers, body = (): JsonObject => ({}), ...rule } = options;
  const model = target.anyModel();
  const calls = await Promise.all(
    callers.map(async (caller, index) => {
      const scene = newScene();
      const more = body(index);
      const isStream = more.stream === true;
      await scene.script({ text: 'Held for a while.', gates: [isStream ? 'end' : 'head'] });
      const label = `held ${index + 1} of ${callers.length}`;
      const live = http.openChat({ ...scene.minimal(model), ...more }, { ...caller, label });
      const judgeIt = (exchange: Exchange): unknown =>
        isStream
          ? judge.streamed(exchange, { ...rule, model })
          : judge.completed(exchange, { ...rule, model });
      return { scene, live, judge: judgeIt };
    }),
  );
  const held = await holdAll(calls, { ...rule, expected: `${callers.length} requests in flight at once` });
  return { model, ...held };
}
