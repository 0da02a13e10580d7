import type { Gone } from '../gone.ts';
import type { CallKind } from './health.ts';
import { healthClasses } from './health.ts';
import type { LiveChannel, TrackedCall } from './live-channel.ts';

/** The inputs of the choice among the channels of a model. */
export interface Choosing {
  readonly kind: CallKind;
  /** Uniform in [0, 1). */
  readonly random: () => number;
  /** The channel of the previous attempt; the model's other channels are preferred. */
  readonly previous: LiveChannel | null;
  /** The user that calls. */
  readonly witness?: string;
}

/**
 * Chooses a channel for the next call among those that accept one now, or null: by priority, then health, then weighted at
 * random. A due probe goes before others of its priority; otherwise a recovered channel would never be noticed. A second
 * attempt uses a probe only if nothing better is free, because there is no third attempt.
 */
export function choose(
  channels: readonly LiveChannel[],
  { kind, random, previous, witness = '' }: Choosing,
): LiveChannel | null {
  const [only] = channels;
  if (only !== undefined && channels.length === 1) {
    return only.condition(witness).kind === 'free' ? draw(channels, random) : null;
  }
  const fastestMs = fastestOf(channels, kind);
  const ranked = channels.flatMap((live) => {
    const condition = live.condition(witness);
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

/** Waits in a queue when no channel takes the request now: by priority, then the shortest; null when all are full. */
export async function waitInQueue(
  channels: readonly LiveChannel[],
  kind: CallKind,
  gone: Gone,
  witness: string,
): Promise<TrackedCall | null> {
  const [first] = channels
    .filter((live) => live.takesWaiting(witness))
    .toSorted((a, b) => a.facts.priority - b.facts.priority || a.waiting - b.waiting);
  return first === undefined ? null : await first.beginInQueue(kind, gone, witness);
}

function fastestOf(channels: readonly LiveChannel[], kind: CallKind): number | null {
  const known = channels.map((live) => live.latencyMs(kind)).filter((ms) => ms !== null);
  return known.length === 0 ? null : Math.min(...known);
}

function compare(a: readonly number[], b: readonly number[]): number {
  const at = a.findIndex((value, i) => value !== b[i]);
  return at === -1 ? 0 : (a[at] ?? 0) - (b[at] ?? 0);
}

/** Draws one of the channels at random, by weight. */
function draw(channels: readonly LiveChannel[], random: () => number): LiveChannel | null {
  const total = channels.reduce((sum, { facts }) => sum + facts.weight, 0);
  let left = random() * total;
  for (const live of channels) {
    left -= live.facts.weight;
    if (left < 0) return live;
  }
  return channels.at(-1) ?? null;
}
