import { duration, instant } from '../durations.ts';
import { type Outcome, outcomeOf, outcomeWords } from '../outcome.ts';
import { profilesInWords } from '../profile-words.ts';
import type { Report, Verdict } from '../report.ts';
import { byUrgency, countWord, isRed, needsAttention, verdictWords } from '../verdict-words.ts';
import { html, type Markup } from './markup.ts';
import { copyBox } from './text-boxes.ts';

/** The result in one coloured sentence, the target, and how to repeat the run. */
export function header(report: Report): Markup {
  const outcome = outcomeOf(report);
  const profiles = profilesInWords(report);
  return html`<header class="top is-${toneOf(outcome)}"><div>
<p class="brand"><b>Gatecheck report</b> <span class="badge solid">${outcomeWords[outcome]}</span> <span>exit code ${report.exit_code}</span></p>
<h1 dir="auto">${report.headline}</h1>
${
  report.stopped !== null &&
  html`<p class="stopped">The run stopped early: <b>${report.stopped}</b>. Checks that had not run by then are not on this page.</p>`
}
${(report.notices ?? []).map((text) => html`<p class="stopped">Note: <b>${text}</b></p>`)}
<dl class="facts">${fact('Target', report.target.name)}${fact('URL', report.target.base_url)}${
    report.target.profile !== null && fact('Profile', report.target.profile)
  }${fact('Seed', report.seed)}${fact('Size', report.size)}${fact('Duration', duration(report.duration_ms))}${fact('Started', instant(report.started_at))}${profiles !== '' && fact('Parts', profiles)}</dl>
${copyBox('Repeat this run', report.command)}</div></header>`;
}

/** The counts, and a strip that shows their shares. */
export function tiles({ summary, checks }: Report): Markup {
  const tile = (verdict: Verdict): Markup => {
    const { glyph, count } = verdictWords[verdict];
    const number = summary[count];
    return html`<li><a class="tile is-${verdict}${number === 0 ? ' zero' : ''}" href="#${target(verdict)}" data-verdict="${verdict}"><b>${number}<i aria-hidden="true">${glyph}</i></b><span>${countWord(verdict, number)}</span></a></li>`;
  };
  const order: Verdict[] = ['pass', ...byUrgency.filter((verdict) => verdict !== 'pass')];
  return html`<section aria-label="Summary"><ul class="tiles">${order.map(tile)}
<li class="tile"><b>${summary.cases}</b><span>cases</span></li><li class="tile"><b>${summary.exchanges}</b><span>exchanges</span></li></ul>
${
  checks.length > 0 &&
  html`<div class="share" aria-hidden="true">${order
    .filter((verdict) => summary[verdictWords[verdict].count] > 0)
    .map(
      (verdict) =>
        html`<span class="is-${verdict}" style="flex:${summary[verdictWords[verdict].count]}"></span>`,
    )}</div>`
}</section>`;
}

function target(verdict: Verdict): string {
  if (isRed(verdict)) return 'failures';
  if (verdict === 'untestable') return 'untestable';
  return needsAttention(verdict) ? 'warnings' : 'checks';
}

function toneOf(outcome: Outcome): Verdict {
  switch (outcome) {
    case 'conforming':
      return 'pass';
    case 'failures':
      return 'fail';
    case 'harness-error':
      return 'harness-error';
    case 'usage':
    case 'unjudged':
    case 'waivers':
    case 'interrupted':
      return 'warn';
  }
}

function fact(name: string, value: string | number): Markup {
  return html`<div><dt>${name}</dt><dd dir="auto">${value}</dd></div>`;
}
