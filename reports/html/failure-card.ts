import {
  type Cause,
  type Companion,
  causeCounts,
  companionsOf,
  elsewhereIn,
  groupByCause,
  placesOf,
  sizeOf,
} from '../causes.ts';
import { duration } from '../durations.ts';
import { questionInWords } from '../in-question.ts';
import { clip } from '../plain-text.ts';
import type { CheckResult, Failure } from '../report.ts';
import { isRed } from '../verdict-words.ts';
import { anchor, badge, failureAnchor } from './badge.ts';
import { exchangeBox } from './exchange.ts';
import { marksOf } from './filter.ts';
import { fitInto } from './fit-into.ts';
import { html, type Markup } from './markup.ts';
import { copyBox, valueBox } from './text-boxes.ts';
import { type Detail, story } from './timeline/story.ts';

const longestOther = 600;
const longestBrief = 300;
/** Maximum listed causes, and characters of the text for each. */
const mostLines = 250;
const longestGist = 240;

/** The first section of the page: each cause once, with everything needed to reproduce it. */
export function failures(checks: readonly CheckResult[]): Markup {
  const causes = groupByCause(checks.filter((check) => isRed(check.verdict)));
  if (causes.length === 0) {
    const text = checks.length === 0 ? 'No check ran, so there is nothing to show.' : 'No check failed.';
    const tone = checks.length === 0 ? 'not-applicable' : 'pass';
    return html`<section class="part" id="failures"><h2>Failures</h2><p class="card calm is-${tone}">${text}</p></section>`;
  }
  const { drawn, shown } = cards(causes);
  return html`<section class="part" id="failures"><h2>${causeCounts(causes)}</h2>
${causes.length > 1 && html`<ol class="card index">${causes.slice(0, mostLines).map((cause, at) => indexLine(cause, at < shown))}</ol>`}${
  causes.length > mostLines &&
  html`<p class="lead">${causes.length - mostLines} more causes are not in this list.</p>`
}
${drawn}</section>`;
}

/** The details of a failure: expected and actual, exchanges, what the upstream received, how to repeat it. */
export function failureBody(failure: Failure, detail: Detail | 'none' = 'none'): Markup {
  const { exchange, twin } = failure;
  const question = questionInWords(failure);
  return html`${question !== null && html`<h4>Changed</h4>${valueBox(question)}`}<div class="versus"><div class="is-pass"><h4>Expected</h4>${valueBox(failure.expected)}</div>
<div class="is-fail"><h4>Actual</h4>${valueBox(failure.actual)}</div></div>
${
  (exchange !== null || twin !== null) &&
  html`<div class="pair">${exchange !== null && exchangeBox(`Exchange: ${exchange.label}`, exchange, twin)}${
    twin !== null && exchangeBox('Positive twin: the same request without the fault', twin, null)
  }</div>`
}
${detail !== 'none' && failure.timeline !== undefined && story(failure.timeline, detail)}
${fact('What the upstream saw', failure.upstream)}${fact('Smallest input that fails', failure.input)}
<div class="again">${copyBox('Run this check again', failure.replay)}${
    failure.curl !== null && copyBox('Send this request by hand', failure.curl)
  }</div>`;
}

/** The other checks of a cause, folded: each check's id and what differs from the representative. */
export function companions(cause: Cause, summary: string): Markup | null {
  const others = companionsOf(cause);
  if (others.length === 0) return null;
  const line = ({
    check,
    seenIn: place,
    expected,
    actual,
  }: (typeof others)[number]): Markup => html`<li id="${failureAnchor(check)}">
<p><a class="id" href="#${anchor('check', check.id)}">${check.id}</a> <span dir="auto">${check.title}</span>${place !== null && html` <span class="muted">(${place})</span>`}</p>${
    (expected !== null || actual !== null) &&
    html`<dl class="terms">${expected !== null && html`<dt>Expected</dt><dd dir="auto">${clip(expected, longestOther)}</dd>`}${
      actual !== null && html`<dt>Actual</dt><dd dir="auto">${clip(actual, longestOther)}</dd>`
    }</dl>`
  }${check.failure !== undefined && copyBox(`Run ${check.id} again`, check.failure.replay)}</li>`;
  return html`<details class="others" id="${anchor('others', failureAnchor(cause.representative))}"><summary>${summary}</summary>
<p class="muted">Different expected and actual values are listed. Their exchanges are in report.json.</p>
<ul>${others.map(line)}</ul></details>`;
}

/** Maximum bytes of all cards, by form: complete, without bytes, without timelines, and brief. */
const room = { bytes: 1_200_000, rows: 1_500_000, none: 1_800_000, brief: 2_000_000 } as const;

/** Draws the first causes in full: the page must stay small, and nobody reads hundreds of them. */
function cards(causes: readonly Cause[]): { readonly drawn: Markup; readonly shown: number } {
  const { drawn, counts, left } = fitInto<Cause>(causes, [
    { upTo: room.bytes, draw: (cause) => card(cause, 'bytes') },
    { upTo: room.rows, draw: (cause) => card(cause, 'rows') },
    { upTo: room.none, draw: (cause) => card(cause, 'none') },
    { upTo: room.brief, draw: brief },
  ]);
  const [, rows = 0, none = 0, short = 0] = counts;
  const words: [number, string][] = [
    [rows, 'without the bytes of their timelines'],
    [none, 'without timelines'],
    [short, 'in short'],
    [left.length, 'by the names of their checks alone'],
  ];
  const said = words.filter(([count]) => count > 0).map(([count, how]) => `${count} ${how}`);
  const markup = html`${said.length > 0 && html`<p class="lead">To keep this page small, these causes are shortened, the last ones first: ${said.join(', ')}. All of it is in report.json.</p>`}<div>${drawn}</div>${
    left.length > 0 &&
    html`<ul class="card left">${names(left, new Set(causes.slice(0, drawn.length).flatMap(idsOf)))}</ul>`
  }`;
  return { drawn: markup, shown: drawn.length };
}

function idsOf({ representative, others }: Cause): string[] {
  return [representative, ...others].filter(({ nth }) => nth === 0).map(({ id }) => id);
}

/** The checks without duplicates: each row links to the check's first failure. */
function names(causes: readonly Cause[], told: ReadonlySet<string>): Markup[] {
  const ids = new Set(causes.flatMap(idsOf));
  return [...ids]
    .filter((id) => !told.has(id))
    .map(
      (id) =>
        html`<li id="${failureAnchor({ id, nth: 0 })}"><a class="id" href="#${anchor('check', id)}">${id}</a></li>`,
    );
}

/** A cause in brief, for lack of space. */
function brief(cause: Cause): Markup {
  const { representative: check, others } = cause;
  const { failure } = check;
  const id = failureAnchor(check);
  return html`<article class="card failure is-${check.verdict}" id="${id}" data-verdict="${check.verdict}" ${marksOf([check, ...others])} aria-labelledby="${id}-title">
<p class="chips">${badge(check.verdict)}${failure !== undefined && html`<span class="id">${failure.requirement}</span> <code>${failure.aspect}</code>`}</p>
<h3 id="${id}-title" dir="auto">${clip(failure?.statement ?? check.title, longestBrief)}</h3>
<p class="where">Check <a class="id" href="#${anchor('check', check.id)}">${check.id}</a>.${seenIn(cause)}</p>
${failure !== undefined && html`<p class="value" dir="auto">${clip(failure.actual, longestBrief)}</p>`}<ul>${names([{ ...cause, representative: { ...check, nth: 1 } }], new Set(check.nth === 0 ? [check.id] : []))}</ul></article>`;
}

function card(cause: Cause, detail: Detail | 'none'): Markup {
  const { representative: check } = cause;
  const { failure } = check;
  const id = failureAnchor(check);
  const judged = check.verdict === 'fail';
  const size = sizeOf(cause);
  return html`<article class="card failure is-${check.verdict}" id="${id}" data-verdict="${check.verdict}" ${marksOf([check, ...cause.others])} aria-labelledby="${id}-title">
<p class="chips">${badge(check.verdict)}${
    failure !== undefined &&
    judged &&
    html`<a class="id" href="#${anchor('requirement', failure.requirement)}">${failure.requirement}</a>`
  }<span class="level">${check.level}</span>${failure !== undefined && judged && html`<code>${failure.aspect}</code>`}${
    size > 1 && html`<a class="reach" href="#${anchor('others', failureAnchor(check))}">${reach(cause)}</a>`
  }</p>
<h3 id="${id}-title" dir="auto">${judged ? (failure?.statement ?? check.title) : check.title}</h3>
<p class="where">${
    failure !== undefined &&
    (judged
      ? html`Specification: ${failure.section}. `
      : 'The check itself broke, which says nothing about the target. ')
  }${size > 1 ? 'Best seen in check' : 'Check'} <a class="id" href="#${anchor(
    'check',
    check.id,
  )}">${check.id}</a>, ${duration(check.duration_ms)}.${seenIn(cause)}</p>
${check.evidence.notes.length > 0 && html`<ul class="fact notes">${check.evidence.notes.map((note) => html`<li dir="auto">${note}</li>`)}</ul>`}
${failure !== undefined && failureBody(failure, detail)}${elsewhereIn(cause).map(elsewhere)}${companions(cause, othersTitle(cause))}</article>`;
}

function seenIn(cause: Cause): string {
  const places = placesOf(cause);
  return places.length === 0 ? '' : ` Seen in: ${places.join('; ')}.`;
}

/** What the same check saw in another place, which may be another defect. */
function elsewhere({ check, seenIn: place }: Companion): Markup | null {
  const { failure } = check;
  if (failure === undefined) return null;
  return html`<div class="fact" id="${failureAnchor(check)}"><h4>Seen in ${place ?? 'the same place'}, too</h4>
<dl class="terms"><dt>Expected</dt><dd dir="auto">${clip(failure.expected, longestOther)}</dd><dt>Actual</dt><dd dir="auto">${clip(
    failure.actual,
    longestOther,
  )}</dd></dl>${failure.curl !== null && copyBox('Send this request by hand', failure.curl)}</div>`;
}

function indexLine(cause: Cause, isShown: boolean): Markup {
  const { representative: check } = cause;
  const { failure } = check;
  const judged = check.verdict === 'fail' && failure !== undefined;
  const size = sizeOf(cause);
  return html`<li><a href="#${isShown ? failureAnchor(check) : anchor('check', check.id)}">${judged ? failure.requirement : check.id}</a><span class="gist" dir="auto">${clip(
    judged
      ? `${failure.statement} Got: ${failure.actual}`
      : (failure?.actual ?? check.evidence.notes[0] ?? check.title),
    longestGist,
  )}</span><span class="reach">${size === 1 ? '1 check' : html`<b>${size}</b> checks`}</span></li>`;
}

function reach(cause: Cause): string {
  const size = sizeOf(cause);
  return cause.representative.verdict === 'fail' ? `${size} checks fail for this` : `broke ${size} checks`;
}

function othersTitle(cause: Cause): string {
  const more = sizeOf(cause) - 1;
  const count = more === 1 ? '1 more check' : `${more} more checks`;
  return cause.representative.verdict === 'fail' ? `${count} red for this reason` : `${count} broke alike`;
}

function fact(title: string, text: string | null): Markup | null {
  return text === null ? null : html`<div class="fact"><h4>${title}</h4>${valueBox(text)}</div>`;
}
