import type { CallKind } from './health.ts';
import { healthClasses } from './health.ts';
import type { LiveChannel, TrackedCall } from './live-channel.ts';

/** What a choice among the channels of a model depends on. */
export interface Choosing {
  readonly kind: CallKind;
  /** Uniform in [0, 1). */
  readonly random: () => number;
  /** The channel of the attempt before; its model's others go first. */
  readonly previous: LiveChannel | null;
}

/**
 * The channel for the next call among those that take one now, or null: by priority, then by health, then by lot. A probe
 * that is due goes before its equals, for otherwise nobody would learn that a channel is back; a second attempt goes to
 * a probe only when there is nothing better, because a third there will not be.
 */
export function choose(
  channels: readonly LiveChannel[],
  { kind, random, previous }: Choosing,
): LiveChannel | null {
  const fastestMs = fastestOf(channels, kind);
  const ranked = channels.flatMap((live) => {
    const condition = live.condition();
    if (condition.kind !== 'free') return [];
    const { isProbe } = condition;
    const health = healthClasses.indexOf(live.health(kind, fastestMs));
    const { priority } = live.facts;
    const rank =
      previous === null
        ? [priority, isProbe ? -1 : health]
        : [live === previous ? 1 : 0, isProbe ? 1 : 0, priority, health];
    return [{ live, rank }];
  });
  const [first] = ranked.toSorted((a, b) => compare(a.rank, b.rank));
  if (first === undefined) return null;
  const best = ranked.filter(({ rank }) => compare(rank, first.rank) === 0).map(({ live }) => live);
  return draw(best, random);
}

/** Where a request waits when no channel takes it now: by priority, then in the shortest queue; null without any room. */
export async function waitInQueue(
  channels: readonly LiveChannel[],
  kind: CallKind,
  gone: AbortSignal,
): Promise<TrackedCall | null> {
  const [first] = channels
    .filter((live) => live.takesWaiting)
    .toSorted((a, b) => a.facts.priority - b.facts.priority || a.waiting - b.waiting);
  return first === undefined ? null : await first.beginInQueue(kind, gone);
}

function fastestOf(channels: readonly LiveChannel[], kind: CallKind): number | null {
  const known = channels.map((live) => live.latencyMs(kind)).filter((ms) => ms !== null);
  return known.length === 0 ? null : Math.min(...known);
}

function compare(a: readonly number[], b: readonly number[]): number {
  const at = a.findIndex((value, i) => value !== b[i]);
  return at === -1 ? 0 : (a[at] ?? 0) - (b[at] ?? 0);
}

/** One of them by lot, each with its weight. */
function draw(channels: readonly LiveChannel[], random: () => number): LiveChannel | null {
  const total = channels.reduce((sum, { facts }) => sum + facts.weight, 0);
  let left = random() * total;
  for (const live of channels) {
    left -= live.facts.weight;
    if (left < 0) return live;
  }
  return channels.at(-1) ?? null;
}
