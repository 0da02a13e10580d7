import { areaName, groupByArea } from '../areas.ts';
import { duration } from '../durations.ts';
import { clip } from '../plain-text.ts';
import type { CheckResult } from '../report.ts';
import { isRed, tallyOf } from '../verdict-words.ts';
import { anchor, badge } from './badge.ts';
import { marksOf } from './filter.ts';
import { html, type Markup } from './markup.ts';

/** Every check by area, with search and filter. */
export function checkList(checks: readonly CheckResult[]): Markup | null {
  if (checks.length === 0) return null;
  const room = roomOfNotes(checks);
  return html`<section class="part" id="checks"><h2>All checks</h2>
<div>${groupByArea(checks).map(([area, group]) => areaBox(area, group, room))}</div></section>`;
}

/** Maximum notes per check, and maximum characters of each. */
interface NoteRoom {
  readonly most: number;
  readonly longest: number;
}

/** Maximum characters of all notes; beyond that each check has few and short ones. */
const roomForNotes = 200_000;
const usualRoom: NoteRoom = { most: Number.POSITIVE_INFINITY, longest: 1_000 };
const littleRoom: NoteRoom = { most: 3, longest: 80 };

function roomOfNotes(checks: readonly CheckResult[]): NoteRoom {
  const all = checks.flatMap(({ evidence }) => evidence.notes).reduce((sum, { length }) => sum + length, 0);
  return all > roomForNotes ? littleRoom : usualRoom;
}

function areaBox(area: string, checks: readonly CheckResult[], room: NoteRoom): Markup {
  return html`<details class="card area"><summary><span>${areaName(area)} <span class="id">${area}</span></span>
<span class="counts">${tallyOf(checks).map(([verdict, count]) => badge(verdict, count))}</span></summary>
<div class="stack">${checks.map((check) => row(check, room))}</div></details>`;
}

function row(check: CheckResult, { most, longest }: NoteRoom): Markup {
  const { evidence } = check;
  const cost =
    evidence.cases === 0 ? 'not run' : `${caseCount(evidence.cases)}, ${duration(check.duration_ms)}`;
  return html`<details class="check" id="${anchor('check', check.id)}" data-verdict="${check.verdict}" ${marksOf([check])}><summary>${badge(
    check.verdict,
  )}<span class="what">${check.title} <span class="id">${check.id}</span></span><span class="cost">${cost}</span></summary>
<div class="inside">${
    evidence.notes.length > 0 &&
    html`<ul class="notes">${evidence.notes.slice(0, most).map((note) => html`<li dir="auto">${clip(note, longest)}</li>`)}</ul>`
  }<dl class="terms">
<dt>Requirements</dt><dd>${check.requirements.map(
    (id) => html`<a class="id" href="#${anchor('requirement', id)}">${id}</a> `,
  )}<span class="level">${check.level}</span></dd>
${evidence.missing.length > 0 && html`<dt>Missing</dt><dd><code>${evidence.missing.join(', ')}</code></dd>`}
${
  check.waiver !== undefined &&
  html`<dt>Waived</dt><dd>${check.waiver.reason}, ${check.waiver.until === null ? 'no end date' : `until ${check.waiver.until}`}</dd>`
}
${
  isRed(check.verdict) &&
  html`<dt>Failure</dt><dd><a href="#${anchor('failure', check.id)}">${causeName(check)}</a></dd>`
}
${evidence.cases > 0 && html`<dt>Evidence</dt><dd>${caseCount(evidence.cases)}, ${evidence.exchanges} exchanges, digest <code>${evidence.cases_digest}</code></dd>`}
${
  evidence.property !== null &&
  html`<dt>Property</dt><dd>seed <code>${evidence.property.seed}</code>, ${evidence.property.runs} runs, ${evidence.property.shrinks} shrinks${
    evidence.property.path !== null && html`, path <code>${evidence.property.path}</code>`
  }</dd>`
}</dl></div></details>`;
}

/** The text of the link to the failure. A cause is shown only once, but many checks may have failed by it. */
function causeName({ verdict, failure }: CheckResult): string {
  return verdict === 'fail' && failure !== undefined
    ? `${failure.requirement} ${failure.aspect}`
    : 'what broke and where';
}

function caseCount(count: number): string {
  return count === 1 ? '1 case' : `${count} cases`;
}
