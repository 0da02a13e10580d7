import { duration } from '../durations.ts';
import type { CheckResult, Failure } from '../report.ts';
import { counted, isRed } from '../verdict-words.ts';
import { anchor, badge } from './badge.ts';
import { exchangeBox } from './exchange.ts';
import { html, type Markup } from './markup.ts';
import { copyBox, valueBox } from './text-boxes.ts';

/** The first thing on the page: what is wrong, each with all it takes to see it again. */
export function failures(checks: readonly CheckResult[]): Markup {
  const red = checks.filter((check) => isRed(check.verdict));
  red.sort((a, b) => Number(a.verdict !== 'fail') - Number(b.verdict !== 'fail'));
  if (red.length === 0) {
    const text = checks.length === 0 ? 'No check ran, so there is nothing to show.' : 'No check failed.';
    const tone = checks.length === 0 ? 'not-applicable' : 'pass';
    return html`<section class="part" id="failures"><h2>Failures</h2><p class="card calm is-${tone}">${text}</p></section>`;
  }
  return html`<section class="part" id="failures"><h2>${titleOf(red)}</h2>
${red.length > 2 && html`<ol class="card index">${red.map(indexLine)}</ol>`}
<div>${red.map(card)}</div></section>`;
}

/** The inside of a failure: expected and actual, exchanges, what the upstream saw, how to repeat it. */
export function failureBody(failure: Failure): Markup {
  const { exchange, twin } = failure;
  return html`<div class="versus"><div class="is-pass"><h4>Expected</h4>${valueBox(failure.expected)}</div>
<div class="is-fail"><h4>Actual</h4>${valueBox(failure.actual)}</div></div>
${
  (exchange !== null || twin !== null) &&
  html`<div class="pair">${exchange !== null && exchangeBox(`Exchange: ${exchange.label}`, exchange, twin)}${
    twin !== null && exchangeBox('Positive twin: the same request without the fault', twin, null)
  }</div>`
}
${fact('What the upstream saw', failure.upstream)}${fact('Smallest input that fails', failure.input)}
<div class="again">${copyBox('Run this check again', failure.replay)}${
    failure.curl !== null && copyBox('Send this request by hand', failure.curl)
  }</div>`;
}

function titleOf(red: readonly CheckResult[]): string {
  const failed = red.filter((check) => check.verdict === 'fail').length;
  const errors = red.length - failed;
  const failures = failed === 1 ? '1 failure' : `${failed} failures`;
  const broken = counted('harness-error', errors);
  if (errors === 0) return failures;
  return failed === 0 ? broken : `${failures}, ${broken}`;
}

function card(check: CheckResult): Markup {
  const { failure } = check;
  const id = anchor('failure', check.id);
  return html`<article class="card failure is-${check.verdict}" id="${id}" aria-labelledby="${id}-title">
<p class="chips">${badge(check.verdict)}${
    failure !== undefined &&
    html`<a class="id" href="#${anchor('requirement', failure.requirement)}">${failure.requirement}</a>`
  }<span class="level">${check.level}</span>${failure !== undefined && html`<code>${failure.aspect}</code>`}</p>
<h3 id="${id}-title" dir="auto">${failure?.statement ?? check.title}</h3>
<p class="where">${failure !== undefined && html`Specification: ${failure.section}. `}Check <a class="id" href="#${anchor(
    'check',
    check.id,
  )}">${check.id}</a>, ${duration(check.duration_ms)}.</p>
${check.evidence.notes.length > 0 && html`<ul class="fact notes">${check.evidence.notes.map((note) => html`<li dir="auto">${note}</li>`)}</ul>`}
${failure !== undefined && failureBody(failure)}</article>`;
}

function indexLine(check: CheckResult): Markup {
  const { failure } = check;
  return html`<li><a href="#${anchor('failure', check.id)}">${failure?.requirement ?? check.id}</a><span dir="auto">${
    failure === undefined ? (check.evidence.notes[0] ?? check.title) : `${failure.aspect}: ${failure.actual}`
  }</span></li>`;
}

function fact(title: string, text: string | null): Markup | null {
  return text === null ? null : html`<div class="fact"><h4>${title}</h4>${valueBox(text)}</div>`;
}
