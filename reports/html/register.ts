import { clip } from '../plain-text.ts';
import type { NotCovered, RequirementResult } from '../report.ts';
import { anchor, badge } from './badge.ts';
import { html, type Markup } from './markup.ts';

/** Maximum characters of a reason; the failure has the full text. */
const longestReason = 200;

/** The requirements that this run covered, each with its verdict and its checks. */
export function requirements(rows: readonly RequirementResult[]): Markup | null {
  if (rows.length === 0) return null;
  const held = rows.filter((row) => row.verdict === 'pass').length;
  return html`<section class="part" id="requirements"><h2>Requirements</h2>
<p class="lead">${held} of ${rows.length} rows that a selected check covers held.</p>
<details class="card more"><summary><span class="grow">All ${rows.length} rows with their checks</span></summary><div class="wide"><table class="rows">
<thead><tr><th scope="col">Id</th><th scope="col">Verdict</th><th scope="col">Statement</th><th scope="col">Checks</th></tr></thead>
<tbody>${rows.map(requirementRow)}</tbody></table></div></details></section>`;
}

/** Requirements that no check covers. Those that no check can cover come last. */
export function notCovered(rows: readonly NotCovered[]): Markup | null {
  if (rows.length === 0) return null;
  const open = rows.filter((row) => row.not_checked === null);
  const never = rows.filter((row) => row.not_checked !== null);
  const waiting =
    open.length > 0 &&
    `${rowCount(open.length)} of the register ${open.length === 1 ? 'has' : 'have'} no check yet. `;
  const silent = never.length > 0 && `${rowCount(never.length)} cannot be observed over HTTP. `;
  return html`<section class="part" id="not-covered"><h2>Not covered</h2>
<p class="lead">${waiting}${silent}This run says nothing about them.</p>
<div class="card stack">${box('No check covers these rows yet', open)}${box('These rows cannot be observed over HTTP', never)}</div></section>`;
}

function box(title: string, rows: readonly NotCovered[]): Markup | null {
  if (rows.length === 0) return null;
  return html`<details class="more"><summary><span class="grow">${title}</span><span class="muted">${rowCount(rows.length)}</span></summary>
<div class="wide"><table class="rows"><tbody>${rows.map(
    (row) => html`<tr><td class="id">${row.id}</td><td dir="auto">${row.statement}</td></tr>`,
  )}</tbody></table></div></details>`;
}

function rowCount(count: number): string {
  return count === 1 ? '1 row' : `${count} rows`;
}

function requirementRow(row: RequirementResult): Markup {
  return html`<tr id="${anchor('requirement', row.id)}"><td class="id">${row.id}</td><td>${badge(row.verdict)}</td>
<td dir="auto">${row.statement}<small>${row.level}. ${row.section}${row.reason !== null && html`. ${clip(row.reason, longestReason)}`}</small></td>
<td>${row.checks.map((id) => html`<a class="id" href="#${anchor('check', id)}">${id}</a> `)}</td></tr>`;
}
