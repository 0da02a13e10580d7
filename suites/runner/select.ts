import type { Check } from '../engine/check.ts';
import { UsageError } from '../exit-codes.ts';
import { type Register, requirementOf } from '../rules/register.ts';
import { nearest } from './nearest.ts';

/**
 * The checks that `--only` selects. It takes areas (CHAT), requirement ids (CHAT-012), check ids or their
 * beginnings (chat.field), and kinds (property), separated by commas. Null selects all.
 * @throws UsageError for an unknown word, with the nearest known one.
 */
export function selectChecks(checks: readonly Check[], register: Register, only: string | null): Check[] {
  if (only === null) return [...checks];
  const words = wordsOf(only);
  if (words.length === 0) throw new UsageError('--only needs at least one area, requirement, check or kind');
  const matchers = words.map((word) => matcherOf(word, checks, register));
  return checks.filter((check) => matchers.some((matches) => matches(check)));
}

/** The areas that a selection includes completely: all areas when nothing narrows it. */
export function selectedAreas(register: Register, only: string | null): ReadonlySet<string> {
  const areas = new Set([...register.values()].map((row) => row.area));
  return only === null ? areas : new Set(wordsOf(only.toUpperCase()).filter((word) => areas.has(word)));
}

function wordsOf(only: string): string[] {
  return only
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '');
}

function matcherOf(word: string, checks: readonly Check[], register: Register): (check: Check) => boolean {
  const upper = word.toUpperCase();
  const candidates: ((check: Check) => boolean)[] = [
    (check) => check.requirements.some((id) => id === upper),
    // A check of another area that also covers a requirement of this area is selected too. Otherwise that
    // requirement would not be judged.
    (check) => check.requirements.some((id) => requirementOf(register, id).area === upper),
    (check) => check.id === word || check.id.startsWith(`${word}.`),
    (check) => check.kind === word,
  ];
  const matches = candidates.find((candidate) => checks.some(candidate));
  if (matches) return matches;
  const row = register.get(upper);
  if (row)
    throw new UsageError(
      `no check covers ${upper}: ${row.not_checked ?? 'it has none yet'} (npx gatecheck explain ${upper})`,
    );
  const areas = new Set([...register.values()].map((requirement) => requirement.area));
  if (areas.has(upper))
    throw new UsageError(
      `no check covers the area ${upper} yet (npx gatecheck coverage shows which rows have none)`,
    );
  const known = [
    ...areas,
    ...register.keys(),
    ...checks.map((check) => check.id),
    ...new Set(checks.map((check) => check.kind)),
  ];
  throw new UsageError(
    `--only ${word} names no area, requirement, check or kind; did you mean ${nearest(word, known)}?`,
  );
}
