import { areaName } from '../areas.ts';
import { failuresOf } from '../failures-of.ts';
import { partsOf, placesOf, sortedPlaces } from '../matrix.ts';
import { type CheckResult, levels, type Report } from '../report.ts';
import { byUrgency, counted } from '../verdict-words.ts';
import { html, type Markup } from './markup.ts';

/** A longer list is of no use. */
const mostCauses = 300;

/** The filter criteria, as attributes of a card or row for these checks. */
export function marksOf(checks: readonly CheckResult[]): Markup {
  const listed = (values: readonly string[]): string => [...new Set(values)].join('|');
  return html`data-area="${listed(checks.map(({ area }) => area))}" data-level="${listed(checks.map(({ level }) => level))}" data-cause="${listed(
    checks.flatMap(causesOf),
  )}" data-place="${listed(checks.flatMap(placesOf))}"`;
}

/** The filter over failures and checks; hidden until the script that implements it has loaded. */
export function filter({ checks, profiles = [] }: Report): Markup | null {
  if (checks.length === 0) return null;
  const count = (verdict: string): number => checks.filter((check) => check.verdict === verdict).length;
  const verdicts = byUrgency.filter((verdict) => count(verdict) > 0);
  const areas = [...new Set(checks.map(({ area }) => area))];
  const causes = [...new Set(checks.flatMap(causesOf))].toSorted();
  const known = profiles.filter(({ areas: own = [] }) => own.some((area) => areas.includes(area)));
  return html`<form class="filter" role="search" aria-label="Filter of failures and checks" hidden><fieldset><legend>Verdict</legend>
<label class="chip"><input type="radio" name="verdict" value="" checked>all ${checks.length}</label>${verdicts.map(
    (verdict) =>
      html`<label class="chip is-${verdict}"><input type="radio" name="verdict" value="${verdict}">${counted(verdict, count(verdict))}</label>`,
  )}</fieldset>
${choice('area', 'Area', [...known.map(({ name, areas: own = [] }): [string, string] => [own.join('|'), `part ${name}`]), ...areas.map((area): [string, string] => [area, `${area} ${areaName(area)}`])])}
${choice(
  'level',
  'Level',
  levels.filter((level) => checks.some((check) => check.level === level)).map((level) => [level, level]),
)}
${choice(
  'cause',
  'Cause',
  causes.slice(0, mostCauses).map((cause) => [cause, cause]),
)}
${choice('place', 'Endpoint', placeChoices(checks))}
<label><span class="visually-hidden">Text in a check</span><input type="search" name="text" placeholder="Id, requirement or words" autocomplete="off"></label>
<output aria-live="polite"></output></form>`;
}

/** Each entry point with all its families, each family with all its entry points, and then each single place. */
function placeChoices(checks: readonly CheckResult[]): [value: string, words: string][] {
  const places = sortedPlaces(new Set(checks.flatMap(placesOf)));
  const grouped = (kind: 'way' | 'family'): [string, string][] =>
    [...Map.groupBy(places, (place) => partsOf(place)[kind])].flatMap(([name, own]) =>
      name === null || own.length < 2 ? [] : [[own.join('|'), `${name} (all)`]],
    );
  return [
    ...grouped('way'),
    ...grouped('family'),
    ...places.map((place): [string, string] => [place, place]),
  ];
}

function choice(
  name: string,
  title: string,
  options: readonly (readonly [value: string, words: string])[],
): Markup | null {
  if (options.length < 2) return null;
  return html`<label><span class="visually-hidden">${title}</span><select name="${name}"><option value="">${title}: all</option>${options.map(
    ([value, words]) => html`<option value="${value}">${words}</option>`,
  )}</select></label>`;
}

function causesOf(check: CheckResult): string[] {
  return failuresOf(check).map(({ requirement, aspect }) => `${requirement} ${aspect}`);
}
