import type { Reply } from 'gatecheck-simulators/client';
import type { CheckParts } from '../../engine/parts/check-parts.ts';
import type { Scene } from '../../engine/scene.ts';
import { part } from '../../rules/violation.ts';
import type { Exchange } from '../../wire/exchange.ts';
import { judgeNotForwarded } from '../chat/upstream-view.ts';
import { type HeldCalls, holdAll, type OpenCall } from './hold-all.ts';
import { type Rule, type WayIn, wayLabel } from './way-in.ts';

/** A call to make: the endpoint, and the caller's key if it is not the main one. */
export interface WayCall {
  readonly way: WayIn;
  readonly key?: string;
}

/**
 * Puts calls in flight and waits until the upstream holds each: a plain call before its head, a stream before its end.
 * Endpoints that return at once cannot be held.
 */
export async function holdWays(parts: CheckParts, calls: readonly WayCall[], rule: Rule): Promise<HeldCalls> {
  const opened = await Promise.all(calls.map((call, index) => open(parts, call, `held ${index + 1}`, rule)));
  const names = calls.map(({ way }) => way.name).join(', ');
  return holdAll(opened, { ...rule, expected: `${calls.length} calls in flight at once: ${names}` });
}

/** This many calls from an index on, wrapping around. */
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

async function refusedByCap(parts: CheckParts, { way, key }: WayCall, rule: Rule): Promise<Refused> {
  const { cases, newScene, judge } = parts;
  cases.count();
  const scene = newScene();
  const own = key === undefined ? {} : { key };
  const label = `one too many, ${wayLabel(way)}`;
  const exchange = await way.open(parts, way.body(scene), { label, ...own }).done;
  judge.refused(exchange, { ...rule, codes: ['concurrency_exceeded'] });
  return { scene, exchange };
}

/**
 * Judges that the cap refuses each of these calls. They are made at once, because a gateway may delay a refusal by 2 s
 * (reading B-103). One by one, that would take too long for the calls in the slots.
 */
export async function allRefusedByCap(
  parts: CheckParts,
  calls: readonly WayCall[],
  rule: Rule,
): Promise<readonly Refused[]> {
  const refused: Refused[] = [];
  await Promise.all(
    calls.map((call) => part(async () => void refused.push(await refusedByCap(parts, call, rule)))),
  );
  return refused;
}

/**
 * Judges that the last free slot serves a call of each endpoint. No endpoint has a lower cap of its own ("Limits").
 * `fill` takes all slots but one, anew for each call, so that held calls do not wait for slow gateways.
 */
export async function allServedInLastSlot(
  parts: CheckParts,
  calls: readonly WayCall[],
  rule: Rule,
  fill: () => Promise<HeldCalls>,
): Promise<void> {
  for (const { way, key } of calls) {
    parts.cases.count();
    const own = key === undefined ? {} : { key };
    const label = `in the last free slot, ${wayLabel(way)}`;
    const held = await fill();
    const exchange = await way.open(parts, way.body(parts.newScene()), { label, ...own }).done;
    await part(async () => way.judgeServed(parts, exchange, rule));
    await held.finish();
  }
}

/** Judges that refused calls have reached no upstream. A task may reach it late, so call this at the end as well. */
export async function judgeKeptBack(refused: readonly Refused[], requirement: string): Promise<void> {
  for (const { scene, exchange } of refused) await judgeNotForwarded(scene, requirement, exchange);
}

async function open(parts: CheckParts, { way, key }: WayCall, label: string, rule: Rule): Promise<OpenCall> {
  const scene = parts.newScene();
  const gates: Reply['gates'] = [way.stream ? 'end' : 'head'];
  await scene.script(way.protocol === null ? { gates } : { text: 'Held for a while.', gates });
  const own = key === undefined ? {} : { key };
  const live = way.open(parts, way.body(scene), { label: `${label}, ${wayLabel(way)}`, ...own });
  return { scene, live, judge: (exchange) => way.judgeServed(parts, exchange, rule) };
}
