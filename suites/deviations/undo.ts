import type { CheckResult, Failure } from 'gatecheck-reports/report';
import { UsageError } from '../process/exit-codes.ts';
import type { Profile } from '../profile/profile.ts';
import type { Translation } from '../profile/translation.ts';
import { combineMutations } from '../rewrite/combine-mutations.ts';
import type { Mutation } from '../rewrite/mutation.ts';
import { inTurn, translationOf } from '../rewrite/translation-of.ts';
import type { Deviation, Given } from './deviation.ts';
import { deviations } from './deviations.ts';

/** A deployment without the deviations that its profile declares. */
export interface Undone {
  readonly declared: readonly Deviation[];
  /** The deployment for all checks except those that report a deviation; the declared profile if it has none. */
  readonly profile: Profile;
  /** For each check that reports a deviation, the deployment with all other deviations translated. */
  readonly apart: readonly { readonly check: string; readonly profile: Profile }[];
}

interface Declared {
  readonly deviation: Deviation;
  readonly given: Given | undefined;
  readonly mutation: Mutation;
}

/**
 * Translates the declared deviations on the wire.
 * @throws UsageError for an unknown name, a duplicate name or an invalid value
 */
export function undoDeviations(profile: Profile): Undone {
  const declared = profile.deviations.flatMap((one) => declaredIn(one));
  const ids = declared.map(({ deviation }) => deviation.id);
  const twice = ids.find((id, index) => ids.indexOf(id) !== index);
  if (twice !== undefined) throw new UsageError(`deviations: ${twice} is there twice`);
  const without = (some: readonly Declared[]): Profile =>
    some.length === 0 ? profile : { ...profile, translation: undoing(some, profile) };
  const reporting = [...new Set(declared.flatMap(({ deviation }) => deviation.checks))];
  return {
    declared: declared.map(({ deviation }) => deviation),
    profile: without(declared),
    apart: reporting.map((check) => ({
      check,
      profile: without(declared.filter(({ deviation }) => !deviation.checks.includes(check))),
    })),
  };
}

function undoing(declared: readonly Declared[], { translation }: Profile): Translation {
  const inOrder = [true, undefined].flatMap((first) =>
    declared.filter(({ deviation }) => deviation.isFirst === first),
  );
  const mutation = combineMutations(inOrder.map((one) => one.mutation));
  const undone = inTurn(translationOf(mutation), translation);
  const silenced = declared.flatMap(({ deviation, given }) => {
    const silences = deviation.silences?.(given) ?? null;
    return silences === null ? [] : [{ id: deviation.id, silences }];
  });
  if (silenced.length === 0) return undone;
  const silencing = (rule: string): string | null => {
    const found = silenced.find(({ silences }) => silences(rule));
    return found === undefined ? (undone.silences?.(rule) ?? null) : `deviations: ${found.id}`;
  };
  return { ...undone, silences: silencing };
}

/**
 * The deployment for client traffic with its declared deviations translated. Clients follow the deployment's own form, unlike
 * checks.
 * @throws UsageError as {@link undoDeviations}
 */
export function undonePassing(declaring: Profile): Profile {
  const { profile } = undoDeviations(declaring);
  const inner = declaring.translation;
  if (profile.translation === undefined || profile === declaring) return profile;
  const parts = declaring.deviations
    .flatMap((one) => declaredIn(one))
    .flatMap(({ deviation, given }) => deviation.passing?.(given) ?? []);
  const translation: Translation = {
    ...profile.translation,
    specified: (request) =>
      parts.reduce((read, part) => part.specified?.(read) ?? read, inner?.specified?.(request) ?? request),
    hides: (seen) =>
      [inner, ...parts].map((part) => part?.hides?.(seen) ?? null).find((why) => why !== null) ?? null,
  };
  return { ...profile, translation };
}

/** Their text in the report; null for none. */
export function declaredInWords({ declared }: Pick<Undone, 'declared'>): string | null {
  if (declared.length === 0) return null;
  const each = declared.map(
    ({ id, title, requirement, checks }) =>
      `${id}: ${title} (${requirement}, reported by ${checks.join(', ')})`,
  );
  return `Deviations that the profile declares are translated for all other checks: ${each.join('; ')}.`;
}

/** This many failing checks of one rule probably have one cause, which may be an intended difference. */
const manyChecks = 10;

/** The lines that a profile may add, where a rule that many checks fail for is one that a deviation breaks. */
export function undeclaredInWords(
  results: readonly Pick<CheckResult, 'verdict' | 'failure'>[],
  { declared }: Pick<Undone, 'declared'>,
): string[] {
  const failed = results.flatMap(({ verdict, failure }) => (verdict === 'fail' && failure ? [failure] : []));
  return [...new Set(failed.map(({ requirement }) => requirement))].flatMap((rule) => {
    const broken = failed.filter(({ requirement }) => requirement === rule);
    const known = deviations.filter((one) => !declared.includes(one) && isLikely(one, rule, broken, failed));
    if (known.length === 0) return [];
    const count = Math.max(...known.map((one) => fitting(one, broken).length));
    const lines = known.map((one) => {
      const { id, title, takes, seen } = one;
      const example = seen?.(fitting(one, broken)) ?? takes?.match(/ such as (.*)$/)?.[1];
      return `"deviations: [${example === undefined ? id : `${id}: ${example}`}]" if ${title}`;
    });
    return [
      `${count} checks fail for ${rule}. If your gateway differs on purpose, declare it, and the other rules of these checks are judged: ${lines.join('; ')}.`,
    ];
  });
}

/** Whether enough failures may come from a deviation, and none shows another one. */
function isLikely(
  one: Deviation,
  rule: string,
  broken: readonly Failure[],
  all: readonly Failure[],
): boolean {
  if (![one.requirement, ...(one.also ?? [])].includes(rule)) return false;
  return fitting(one, broken).length >= manyChecks && !all.some((failure) => one.refuted?.(failure) === true);
}

function fitting({ fits }: Deviation, failures: readonly Failure[]): readonly Failure[] {
  return fits === undefined ? failures : failures.filter(fits);
}

/** A deviation's name, or names with their values. */
function declaredIn(one: Profile['deviations'][number]): Declared[] {
  const named: [string, Given | undefined][] =
    typeof one === 'string' ? [[one, undefined]] : Object.entries(one);
  return named.map(([id, given]) => {
    const deviation = deviations.find((known) => known.id === id);
    if (deviation === undefined)
      throw new UsageError(
        `deviations: there is no ${id}; there are ${deviations.map((known) => known.id).join(', ')}`,
      );
    const mutation = deviation.undo(given);
    if (mutation === null)
      throw new UsageError(`deviations: ${id} takes ${deviation.takes ?? 'nothing after its name'}`);
    return { deviation, given, mutation };
  });
}
