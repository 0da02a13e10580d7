import { failuresOf } from './failures-of.ts';
import { oneLine } from './plain-text.ts';
import type { CheckResult, ReportedExchange } from './report.ts';
import { symptomsOf } from './symptoms.ts';
import { counted } from './verdict-words.ts';

/** A check with one of its failures. */
export interface CausedCheck extends CheckResult {
  /** The index of the failure among those of the check; 0 for the first or only one. */
  readonly nth: number;
}

/** Checks that ended the same way for the same reason; reports show them once. */
export interface Cause {
  /** The check that shows the cause best. */
  representative: CausedCheck;
  /** Every other check with this cause, in the original order. A check appears again for each further place. */
  others: CausedCheck[];
}

/** One of the `others`, reduced to its differences from the representative; equal members are null. */
export interface Companion {
  check: CausedCheck;
  /** The place where it was seen, null when the representative shows the same one. */
  seenIn: string | null;
  expected: string | null;
  actual: string | null;
  /** Null when it equals the representative's line except for the check's id. */
  replay: string | null;
}

/**
 * Groups checks by cause. Failed checks and warnings belong together if their failures have the same requirement and aspect,
 * wherever they occurred. They also do if the deployment answered with the same unexpected error. Broken checks belong
 * together if their messages are similar. A check with several findings has as many causes. Different verdicts are never
 * grouped. A check without a failure stands alone, and so does an observed or waived one.
 * Failed checks come first. Then come causes whose representative covers the blamed requirement: there the check is about the
 * defect, elsewhere the defect only interfered. Then greater harm comes before less, larger causes before smaller ones, and
 * last the original order decides.
 */
export function groupByCause(checks: readonly CheckResult[]): Cause[] {
  const groups = new Map<string, CausedCheck[]>();
  const caused = checks.flatMap(byFailure);
  const symptomOf = symptomsOf(caused);
  for (const check of caused) {
    const key = JSON.stringify(symptomOf(check) ?? keyOf(check));
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [check]);
    else group.push(check);
  }
  return [...groups.values()].map(causeOf).sort(byWeight);
}

/** The rule and aspect that identify a cause: `ERR-024 param-names-field`; the check's id if no rule is broken. */
export function nameOf({ representative: { id, failure } }: Cause): string {
  return failure === undefined ? id : `${failure.requirement} ${failure.aspect}`;
}

/** The number of checks of a cause. */
export function sizeOf({ representative, others }: Cause): number {
  return new Set([representative, ...others].map(({ id }) => id)).size;
}

/** Every place where a cause was seen, in the original order. */
export function placesOf({ representative, others }: Cause): string[] {
  return [...new Set([representative, ...others].flatMap(({ failure }) => failure?.seen_in ?? []))];
}

/** '3 causes in 17 failed checks, 1 cause in 2 errors', for causes of red checks. */
export function causeCounts(causes: readonly Cause[]): string {
  const failed = causes.filter(({ representative }) => representative.verdict === 'fail');
  const broken = causes.filter(({ representative }) => representative.verdict !== 'fail');
  const count = (list: readonly Cause[]): number =>
    new Set(list.flatMap(({ representative, others }) => [representative, ...others].map(({ id }) => id)))
      .size;
  const lead = (list: readonly Cause[]): string => (list.length === 1 ? '1 cause' : `${list.length} causes`);
  const parts: string[] = [];
  if (failed.length > 0)
    parts.push(`${lead(failed)} in ${count(failed)} failed ${count(failed) === 1 ? 'check' : 'checks'}`);
  if (broken.length > 0) parts.push(`${lead(broken)} in ${counted('harness-error', count(broken))}`);
  return parts.join(', ');
}

/** What each other check adds to the representative. A check that saw the cause in several places is reduced to its first. */
export function companionsOf(cause: Cause): Companion[] {
  const told = new Set([cause.representative.id]);
  return comparedIn(cause).filter(({ check: { id } }) => !told.has(id) && told.add(id));
}

/** What the representative saw in other places: it may be another defect of the same rule. */
export function elsewhereIn(cause: Cause): Companion[] {
  return comparedIn(cause).filter(({ check }) => check.id === cause.representative.id);
}

function comparedIn({ representative, others }: Cause): Companion[] {
  const shown = representative.failure;
  return others.map((check) => {
    const { failure } = check;
    const differing = (text: string | undefined, known: string | undefined): string | null =>
      text === undefined || text === known ? null : text;
    return {
      check,
      seenIn: differing(failure?.seen_in, shown?.seen_in),
      expected: differing(failure?.expected, shown?.expected),
      actual: differing(failure?.actual ?? messageOf(check), shown?.actual ?? messageOf(representative)),
      replay: differing(
        failure?.replay,
        shown?.replay.replaceAll(representative.id, () => check.id),
      ),
    };
  });
}

/** The check once per failure. */
function byFailure(check: CheckResult): CausedCheck[] {
  const { also: _also, ...rest } = check;
  const failures = failuresOf(check);
  if (failures.length === 0) return [{ ...rest, nth: 0 }];
  return failures.map((failure, nth) => ({ ...rest, failure, nth }));
}

/** Whether the check is itself about the requirement that its failure blames. */
function coversBlamed({ failure, requirements }: CheckResult): boolean {
  return failure !== undefined && requirements.includes(failure.requirement);
}

function keyOf(check: CheckResult): string[] {
  const { verdict, failure } = check;
  if (verdict === 'harness-error') return [verdict, alike(messageOf(check))];
  const groups = verdict === 'fail' || verdict === 'warn';
  return failure === undefined || !groups ? [check.id] : [verdict, failure.requirement, failure.aspect];
}

function messageOf(check: CheckResult): string {
  return check.failure?.actual ?? check.evidence.notes[0] ?? check.title;
}

/** A message without the parts that vary between checks: the stack location, and every word with a digit. */
function alike(message: string): string {
  return oneLine(message)
    .replace(/ \((?:at )?[^()\s]*\/[^()\s]*\)$/, '')
    .replace(/\S*\d\S*/g, '#');
}

function causeOf(checks: readonly CausedCheck[]): Cause {
  const covering = checks.filter(coversBlamed);
  const candidates = covering.length > 0 ? covering : checks;
  const representative = candidates.reduce((best, check) => (weigh(check) < weigh(best) ? check : best));
  return { representative, others: checks.filter((check) => check !== representative) };
}

/** The reading effort in characters. A failure without an exchange lacks evidence, so it is the last choice. */
function weigh({ failure }: CheckResult): number {
  return failure?.exchange ? lengthOf(failure.exchange) : Number.POSITIVE_INFINITY;
}

function lengthOf({ request, response, error }: ReportedExchange): number {
  return request.url.length + request.body.length + (response?.body.length ?? 0) + (error?.length ?? 0);
}

function byWeight(a: Cause, b: Cause): number {
  const [left, right] = [a.representative, b.representative];
  return (
    Number(left.verdict !== 'fail') - Number(right.verdict !== 'fail') ||
    Number(coversBlamed(right)) - Number(coversBlamed(left)) ||
    harmOf(left) - harmOf(right) ||
    sizeOf(b) - sizeOf(a)
  );
}

/** Order of harm: who gets in, what is charged, what is lost, what is answered; everything else is form. */
const harms: readonly (readonly string[])[] = [
  ['AUTH'],
  ['BILL', 'CACHE', 'LIM'],
  ['HOOK', 'STATE', 'TASK', 'ROUTE'],
  ['RESP', 'SSE', 'TOOL', 'CHAT', 'MSG'],
];

/** The harm of a broken rule; the lowest number is the worst. Within a kind, serving what must be rejected comes first. */
function harmOf({ failure }: CheckResult): number {
  if (failure === undefined) return 2 * harms.length + 1;
  const [area = ''] = failure.requirement.split('-');
  const place = harms.findIndex((areas) => areas.includes(area));
  const isServed =
    (failure.exchange?.response?.status ?? 500) < 300 && /^\W*[45]\d\d\b/.test(failure.expected);
  return 2 * (place < 0 ? harms.length : place) + (isServed ? 0 : 1);
}
