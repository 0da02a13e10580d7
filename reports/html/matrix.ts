import { areaName, groupByArea } from '../areas.ts';
import { failuresOf } from '../failures-of.ts';
import type { CellVerdict, Matrix, MatrixCell, MatrixRow } from '../matrix.ts';
import { isRed, verdictWords } from '../verdict-words.ts';
import { anchor } from './badge.ts';
import { html, type Markup } from './markup.ts';

/** Which rules were judged at which entry point and with which model family, by area. */
export function matrix(whole: Matrix): Markup | null {
  const { rows, placeless } = whole;
  if (rows.length === 0) return null;
  const without =
    placeless === 0 ? '' : ` ${placeless === 1 ? '1 rule was' : `${placeless} rules were`} judged without.`;
  return html`<section class="part" id="matrix"><h2>Rules by endpoint and family</h2>
<p class="lead">Where the checks of each rule sent requests, how often, and with which result. ${words(rows)}.${without}</p>
<div>${groupByArea(rows.map((row) => ({ ...row, area: row.rule.area }))).map(([area, own]) => areaTable(area, own, whole))}</div></section>`;
}

/** A legend of the marks in use. */
function words(rows: readonly MatrixRow[]): string {
  const there = new Set(rows.flatMap(({ cells }) => [...cells.values()].map(({ verdict }) => verdict)));
  return [...there].map((verdict) => `${glyphOf(verdict)} ${wordOf(verdict)}`).join(', ');
}

function areaTable(area: string, rows: readonly MatrixRow[], { places }: Matrix): Markup {
  const own = places.filter((place) => rows.some(({ cells }) => cells.has(place)));
  const red = rows.filter(({ rule }) => isRed(rule.verdict)).length;
  return html`<details class="card area"><summary><span>${areaName(area)} <span class="id">${area}</span></span>
<span class="counts muted">${rows.length === 1 ? '1 rule' : `${rows.length} rules`}${red > 0 && html`, <b class="is-fail">${red} failed</b>`}</span></summary>
<div class="grid-box" tabindex="0" role="group" aria-label="${areaName(area)} by endpoint and family"><table class="rules-grid">
<thead><tr><th scope="col">Rule</th>${own.map((place) => html`<th scope="col" data-place="${place}"><span>${place}</span></th>`)}</tr></thead>
<tbody>${rows.map((row) => ruleRow(row, own))}</tbody></table></div></details>`;
}

function ruleRow({ rule, cells }: MatrixRow, places: readonly string[]): Markup {
  const causes = [...cells.values()].flatMap(({ check, nth }) =>
    failuresOf(check)
      .slice(nth ?? 0, nth === null ? 0 : nth + 1)
      .map(({ requirement, aspect }) => `${requirement} ${aspect}`),
  );
  return html`<tr data-verdict="${rule.verdict}" data-area="${rule.area}" data-level="${rule.level}" data-cause="${[...new Set(causes)].join('|')}" data-place="${[...cells.keys()].join('|')}"><th scope="row"><a class="id" href="#${anchor(
    'requirement',
    rule.id,
  )}">${rule.id}</a> <span class="is-${rule.verdict}">${mark(rule.verdict)}</span> <small dir="auto">${rule.statement}</small></th>${places.map(
    (place) => cell(cells.get(place), place),
  )}</tr>`;
}

function cell(seen: MatrixCell | undefined, place: string): Markup {
  if (seen === undefined) return html`<td></td>`;
  const { verdict, calls, check, nth } = seen;
  const shown = html`${mark(verdict)} ${calls}`;
  return html`<td class="is-${verdict}" data-at="${place}">${
    nth === null
      ? shown
      : html`<a href="#${anchor(nth === 0 && isRed(check.verdict) ? 'failure' : 'check', check.id)}">${shown}</a>`
  }</td>`;
}

function mark(verdict: CellVerdict): Markup {
  return html`<i role="img" aria-label="${wordOf(verdict)}">${glyphOf(verdict)}</i>`;
}

function glyphOf(verdict: CellVerdict): string {
  return verdict === 'open' ? '·' : verdictWords[verdict].glyph;
}

function wordOf(verdict: CellVerdict): string {
  return verdict === 'open' ? 'called, but not seen to the end' : verdictWords[verdict].label;
}
