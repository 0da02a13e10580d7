import type { Usage, UsageDoubt } from '../outcome.ts';
import { type Counts, writesIn } from './read-report.ts';

/** Tokens that are reported separately: in addition to the count of their side, or as part of it. */
interface Part {
  readonly side: 'prompt' | 'completion';
  readonly count: number;
  readonly isBeside: boolean;
}

interface Sides {
  readonly prompt: number;
  readonly completion: number;
}

/** Computes usage from reported counts, by the rules of `UsageTally`; null if no count is above zero. */
export function arrange(
  counts: Counts,
  isBeside: { readonly cache: boolean; readonly reasoning: boolean },
  known: ReadonlySet<UsageDoubt>,
): Usage | null {
  const { prompt = 0, completion = 0, cached = 0, reasoning = 0, toolUse = 0, total = 0 } = counts;
  const { written, longLived, isDoubtful } = writesIn(counts);
  if (Math.max(prompt, completion, cached, reasoning, written, total) === 0) return null;
  const doubts = new Set(known);
  const parts: readonly Part[] = [
    // Without a count of the prompt, the cache is all that is known of it.
    { side: 'prompt', count: cached + written, isBeside: isBeside.cache || counts.prompt === undefined },
    { side: 'prompt', count: toolUse, isBeside: true },
    { side: 'completion', count: reasoning, isBeside: isBeside.reasoning },
  ];
  const sides = sidesOf({ prompt, completion }, parts, total, doubts);
  const room = sides.prompt;
  const cachedTokens = Math.min(cached, room);
  const longTokens = Math.min(longLived, room - cachedTokens);
  const shortTokens = Math.min(written - longLived, room - cachedTokens - longTokens);
  if (cachedTokens + longTokens + shortTokens < cached + written) doubts.add('cached');
  if (isDoubtful) doubts.add('cache_writes');
  if (reasoning > sides.completion) doubts.add('reasoning');
  const isUncounted = sides.completion === 0 && counts.completion === undefined;
  const isAllOfTotal = prompt === 0 && cached + written === 0 && isUncounted;
  if (isAllOfTotal || (total !== room + sides.completion && (room === 0 || isUncounted)))
    doubts.add('partial');
  return {
    promptTokens: room,
    completionTokens: sides.completion,
    cachedTokens,
    cacheWrite5mTokens: shortTokens,
    cacheWrite1hTokens: longTokens,
    ...(reasoning > 0 && { reasoningTokens: Math.min(reasoning, sides.completion) }),
    ...(doubts.size > 0 && { doubts: [...doubts] }),
  };
}

/** The total tokens of each side. The stated total proves where the parts belong. */
function sidesOf(stated: Sides, all: readonly Part[], total: number, doubts: Set<UsageDoubt>): Sides {
  const parts = all.filter(({ count }) => count > 0);
  // Most answers report no parts, or a total that their names explain.
  const named = sumOf(stated, parts);
  if (named.prompt + named.completion === total && parts.every((part) => fits(part, stated))) return named;
  const proven = arrangements(parts, stated)
    .map((arrangement) => sumOf(stated, arrangement))
    .find(({ prompt, completion }) => prompt + completion === total);
  if (proven !== undefined) return proven;
  const fitted = parts.map((part) => {
    if (part.side === 'prompt' || fits(part, stated)) return part;
    doubts.add('reasoning');
    return { ...part, isBeside: true };
  });
  const sides = sumOf(stated, fitted);
  if (total === 0) return sides;
  const missing = total - sides.prompt - sides.completion;
  if (missing > 0 && stated.prompt === 0) return { ...sides, prompt: sides.prompt + missing };
  if (missing > 0 && stated.completion === 0) return { ...sides, completion: sides.completion + missing };
  doubts.add('total');
  return sides;
}

/**
 * Every possible arrangement of the parts: first those where all parts fit, then those that deviate least from the names. A
 * part that does not fit inside its side is placed there only if its name says so.
 */
function arrangements(parts: readonly Part[], stated: Sides): readonly Part[][] {
  const all = parts.reduce<Part[][]>(
    (before, part) => {
      const other = { ...part, isBeside: !part.isBeside };
      const ways = part.count > 0 && fits(other, stated) ? [part, other] : [part];
      return before.flatMap((some) => ways.map((way) => [...some, way]));
    },
    [[]],
  );
  const unfit = (some: readonly Part[]): number => some.filter((part) => !fits(part, stated)).length;
  const deviations = (some: readonly Part[]): number =>
    some.filter(({ isBeside }, i) => isBeside !== parts[i]?.isBeside).length;
  return all.toSorted((a, b) => unfit(a) - unfit(b) || deviations(a) - deviations(b));
}

function fits({ isBeside, count, side }: Part, stated: Sides): boolean {
  return isBeside || count <= stated[side];
}

function sumOf(stated: Sides, parts: readonly Part[]): Sides {
  const beside = (wanted: Part['side']): number =>
    parts.reduce((sum, { side, isBeside, count }) => sum + (isBeside && side === wanted ? count : 0), 0);
  return { prompt: stated.prompt + beside('prompt'), completion: stated.completion + beside('completion') };
}
