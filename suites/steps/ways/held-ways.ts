import type { Reply } from '../../../simulators/control/client.ts';
import type { CheckParts } from '../../engine/parts/check-parts.ts';
import type { Scene, UpstreamRequest } from '../../engine/scene.ts';
import { must } from '../../rules/violation.ts';
import type { Exchange } from '../../wire/exchange.ts';
import type { LiveExchange } from '../../wire/live-exchange.ts';
import { type WayIn, wayLabel } from './way-in.ts';

/** A call to make: a way in, and the caller's key where it is not the main one. */
export interface WayCall {
  readonly way: WayIn;
  readonly key?: string;
}

export interface Rule {
  readonly requirement: string;
  readonly aspect: string;
}

/** Calls in flight. */
export interface HeldWays {
  /** Releases all remaining calls and judges that each completes. */
  finish(): Promise<void>;
  /** Releases the first call and judges that it completes. */
  finishOne(): Promise<void>;
}

interface Held {
  readonly call: WayCall;
  readonly scene: Scene;
  readonly live: LiveExchange;
}

/**
 * Puts calls in flight and waits until the upstream holds each: a plain one before its head, a stream before its
 * end. Ways that do not last cannot be held.
 */
export async function holdWays(parts: CheckParts, calls: readonly WayCall[], rule: Rule): Promise<HeldWays> {
  const held = await Promise.all(calls.map((call, index) => open(parts, call, `held ${index + 1}`)));
  const reached = await Promise.all(
    held.map(({ scene, live }) =>
      // Nobody awaits it once the call has ended, so its error is ignored.
      Promise.race([scene.held(1).catch(() => false), live.done.then(() => false)]),
    ),
  );
  if (reached.includes(false)) {
    for (const { live } of held) live.abort();
    const ended = await Promise.all(held.map(({ live }) => live.done));
    must(false, {
      ...rule,
      expected: `${calls.length} calls in flight at once: ${calls.map(({ way }) => way.name).join(', ')}`,
      actual: `${reached.filter((one) => one).length} of them reach the upstream`,
      exchange: ended.find((_, index) => !reached[index]),
    });
  }
  const waiting = [...held];
  const complete = async ({ call, scene, live }: Held): Promise<void> => {
    const [request] = await scene.requests(1);
    await scene.release(request as UpstreamRequest);
    call.way.judgeServed(parts, await live.done, rule);
  };
  return {
    finish: async () => {
      await Promise.all(waiting.splice(0).map(complete));
    },
    finishOne: async () => {
      await Promise.all(waiting.splice(0, 1).map(complete));
    },
  };
}

/** So many calls from an index on, wrapping around. */
export function callsFrom(ways: readonly WayIn[], start: number, count: number): WayCall[] {
  return Array.from({ length: count }, (_, index) => ways[(start + index) % ways.length])
    .filter((way) => way !== undefined)
    .map((way) => ({ way }));
}

/** A call that the cap refused. */
export interface Refused {
  readonly scene: Scene;
  readonly exchange: Exchange;
}

/** Judges that the cap refuses a call. */
export async function refusedByCap(parts: CheckParts, { way, key }: WayCall, rule: Rule): Promise<Refused> {
  const { cases, newScene, judge } = parts;
  cases.count();
  const scene = newScene();
  const own = key === undefined ? {} : { key };
  const label = `one too many, ${wayLabel(way)}`;
  const exchange = await way.open(parts, way.body(scene), { label, ...own }).done;
  judge.refused(exchange, { ...rule, codes: ['concurrency_exceeded'] });
  return { scene, exchange };
}

/** Judges that refused calls have reached no upstream; a task may reach it late, so ask at the end as well. */
export async function judgeKeptBack(refused: readonly Refused[], requirement: string): Promise<void> {
  for (const { scene, exchange } of refused)
    must((await scene.requestsNow()).length === 0, {
      requirement,
      aspect: 'no-upstream-call',
      expected: 'no upstream request for a refused call',
      actual: 'one arrived',
      exchange,
    });
}

async function open(parts: CheckParts, call: WayCall, label: string): Promise<Held> {
  const { way, key } = call;
  const scene = parts.newScene();
  const gates: Reply['gates'] = [way.stream ? 'end' : 'head'];
  await scene.script(way.protocol === null ? { gates } : { text: 'Held for a while.', gates });
  const own = key === undefined ? {} : { key };
  const live = way.open(parts, way.body(scene), { label: `${label}, ${wayLabel(way)}`, ...own });
  return { call, scene, live };
}
