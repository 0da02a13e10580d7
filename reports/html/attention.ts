import { type Cause, groupByCause, sizeOf } from '../causes.ts';
import { aimlessTitle, aroundFacts, groupByMissingFacts, type MissingFacts } from '../missing-facts.ts';
import { profileLines } from '../profile-lines.ts';
import type { CheckResult, Report } from '../report.ts';
import { byUrgency, needsAttention } from '../verdict-words.ts';
import { anchor, badge } from './badge.ts';
import { companions, failureBody } from './failure-card.ts';
import { fitInto } from './fit-into.ts';
import { html, type Markup } from './markup.ts';
import { copyBox } from './text-boxes.ts';

/** Maximum bytes of the page after which warnings are shortened, and after which they are omitted. */
const room = { full: 200_000, brief: 300_000 } as const;

/** Checks that have not failed but need attention: flaky ones, warnings, observations, waivers. */
export function attention(checks: readonly CheckResult[]): Markup | null {
  const shown = checks.filter(({ verdict }) => needsAttention(verdict));
  if (shown.length === 0) return null;
  const causes = groupByCause(shown);
  const urgency = (cause: Cause): number => byUrgency.indexOf(cause.representative.verdict);
  causes.sort((a, b) => urgency(a) - urgency(b));
  const { drawn, left } = fitInto<Cause>(causes, [
    { upTo: room.full, draw: (cause) => line(cause, true) },
    { upTo: room.brief, draw: (cause) => line(cause, false) },
  ]);
  return html`<section class="part" id="warnings"><h2>Warnings, observations, waivers</h2>
<p class="lead">None of these makes the run red.</p><div class="card stack">${drawn}</div>${
    left.length > 0 &&
    html`<p class="lead">To keep this page small, ${left.length} more are only in report.json, and among all checks below.</p>`
  }</section>`;
}

/** Untestable checks, grouped by the facts that would unlock them. */
export function untestable({ checks, missing_facts: known }: Report): Markup | null {
  const groups = groupByMissingFacts(checks);
  if (groups.length === 0) return null;
  return html`<section class="part" id="untestable"><h2>Untestable</h2>
<p class="lead">These checks did not run. Each group names the facts to add to your profile.</p>
<div class="card stack is-untestable">${groups.map((group) => unlockBox(group, known))}</div></section>`;
}

function unlockBox(group: MissingFacts, known: Report['missing_facts']): Markup {
  const yaml = profileLines(group, known).join('\n');
  const [before, after] = aroundFacts(group);
  const names = group.facts.map((fact, index) => html`${index > 0 && ' and '}<code>${fact}</code>`);
  const title =
    names.length === 0 ? html`${capital(aimlessTitle(group))}` : html`${capital(before)} ${names} ${after}`;
  return html`<div class="unlock"><h3>${title}</h3>${yaml !== '' && copyBox('Add to the profile', yaml)}<ul>${group.checks.map(
    ({ id, title: what }) => html`<li><a class="id" href="#${anchor('check', id)}">${id}</a> ${what}</li>`,
  )}</ul></div>`;
}

function capital(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}

function line(cause: Cause, full: boolean): Markup {
  const { representative: check } = cause;
  const others = sizeOf(cause) - 1;
  const more = others === 1 ? '1 more check' : `${others} more checks`;
  const { failure, waiver, evidence } = check;
  const summary = waiver === undefined ? (evidence.notes[0] ?? failure?.actual) : waived(waiver);
  return html`<details class="more"><summary>${badge(check.verdict)}<h3 class="grow">${check.title}</h3>
<span class="id muted">${check.id}</span>${others > 0 && html`<span class="reach">and ${more}</span>`}${
    summary !== undefined && html`<small dir="auto">${summary}</small>`
  }</summary><div class="inside"><p class="where">Check <a class="id" href="#${anchor('check', check.id)}">${check.id}</a>, ${check.level}</p>${
    (evidence.notes.length > 1 || summary !== evidence.notes[0]) &&
    html`<ul class="notes">${evidence.notes.map((note) => html`<li dir="auto">${note}</li>`)}</ul>`
  }${full && failure !== undefined && failureBody(failure)}${full && companions(cause, `${more} with this warning`)}</div></details>`;
}

function waived(waiver: { reason: string; until: string | null }): string {
  return `${waiver.reason} (${waiver.until === null ? 'no end date' : `until ${waiver.until}`})`;
}
