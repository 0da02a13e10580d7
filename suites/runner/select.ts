import type { CheckFacts } from '../engine/check.ts';
import { UsageError } from '../process/exit-codes.ts';
import { type Register, requirementOf } from '../rules/register.ts';
import { meant } from '../values/nearest.ts';

/**
 * The checks that `--only` selects. It accepts areas (CHAT), requirement ids (CHAT-012), check ids or their prefixes
 * (chat.field), kinds (property), and faults (S8, error-mid), separated by commas. Null selects all.
 * @param option the name of the option, for messages
 * @throws UsageError for an unknown word, with the nearest known one.
 */
export function selectChecks<C extends CheckFacts>(
  checks: readonly C[],
  register: Register,
  only: string | null,
  option = '--only',
): C[] {
  if (only === null) return [...checks];
  const words = wordsOf(only);
  if (words.length === 0)
    throw new UsageError(`${option} needs at least one area, requirement, check or kind`);
  const matchers = words.map((word) => matcherOf(word, checks, register, option));
  return checks.filter((check) => matchers.some((matches) => matches(check)));
}

/** The options of a run that select its checks. */
export interface Selection {
  /** The words of `--only`; null for all. */
  readonly only: string | null;
  /** The words of `--exclude`, of the same kinds; null for none. */
  readonly exclude: string | null;
  /** The ids that `--only-failed` takes from an earlier report; null for all. */
  readonly ids: readonly string[] | null;
  /** `--shard`: the part, from 1, and the number of parts; null for the whole run. */
  readonly shard: { readonly part: number; readonly of: number } | null;
}

/**
 * The checks of a run.
 * @throws UsageError for an unknown word, or an empty selection
 */
export function selectForRun<C extends CheckFacts>(
  checks: readonly C[],
  register: Register,
  selection: Selection,
): C[] {
  const { only, exclude, ids, shard } = selection;
  const excluded = new Set(exclude === null ? [] : selectChecks(checks, register, exclude, '--exclude'));
  const named = selectChecks(checks, register, only)
    .filter((check) => !excluded.has(check))
    .filter(({ id }) => ids === null || ids.includes(id));
  if (named.length === 0) throw new UsageError('the options select no check');
  return shard === null ? named : partOf(named, shard);
}

/**
 * The checks of one shard. Each shard has checks of all areas and kinds, so that shards take about the same time, and
 * together they are the whole. Rows about every exchange are in each shard.
 */
function partOf<C extends CheckFacts>(
  checks: readonly C[],
  { part, of }: NonNullable<Selection['shard']>,
): C[] {
  return checks.filter(({ kind }, place) => kind === 'passive' || place % of === part - 1);
}

/** The areas that a selection includes completely; all areas without a selection. */
export function selectedAreas(register: Register, only: string | null): ReadonlySet<string> {
  const areas = new Set([...register.values()].map((row) => row.area));
  return only === null ? areas : new Set(wordsOf(only.toUpperCase()).filter((word) => areas.has(word)));
}

/** The comma-separated words of an option. */
export function wordsOf(option: string): string[] {
  return option
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '');
}

/** Whether a check is about this fault of the catalogue, named by its id (`s8`) or its name (`error-mid`). */
export function isAboutFault({ id }: Pick<CheckFacts, 'id'>, word: string): boolean {
  const [area, ...names] = id.split('.');
  return area === 'faults' && names.includes(word);
}

function matcherOf(
  word: string,
  checks: readonly CheckFacts[],
  register: Register,
  option: string,
): (check: CheckFacts) => boolean {
  const upper = word.toUpperCase();
  // Rows about every exchange are judged anyway, and are selected by their own name only.
  const covers = ({ kind, requirements }: CheckFacts, isSuch: (id: string) => boolean): boolean =>
    kind !== 'passive' && requirements.some(isSuch);
  const candidates: ((check: CheckFacts) => boolean)[] = [
    (check) => covers(check, (id) => id === upper),
    // A check of another area that also covers a requirement of this area is selected too. Otherwise that
    // requirement would not be judged.
    (check) => covers(check, (id) => requirementOf(register, id).area === upper),
    (check) => check.id === word || check.id.startsWith(`${word}.`),
    (check) => check.kind === word,
    (check) => isAboutFault(check, word.toLowerCase().replace(/^faults\./, '')),
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
  const kinds = [...new Set(checks.map((check) => check.kind))];
  const known = [...areas, ...register.keys(), ...checks.map((check) => check.id), ...kinds];
  throw new UsageError(
    `${option} ${word} names no area, requirement, check or kind${meant(word, known)}; kinds: ${kinds.join(', ')}`,
  );
}
