import type { NotCovered, RequirementResult } from '../report.ts';
import { anchor, badge } from './badge.ts';
import { html, type Markup } from './markup.ts';

/** Rows of the register that this run covered, each with its verdict and its checks. */
export function requirements(rows: readonly RequirementResult[]): Markup | null {
  if (rows.length === 0) return null;
  const held = rows.filter((row) => row.verdict === 'pass').length;
  return html`<section class="part" id="requirements"><h2>Requirements</h2>
<p class="lead">${held} of ${rows.length} rows that a selected check covers held.</p>
<details class="card more"><summary><span class="grow">All ${rows.length} rows with their checks</span></summary><div class="wide"><table class="rows">
<thead><tr><th scope="col">Id</th><th scope="col">Verdict</th><th scope="col">Statement</th><th scope="col">Checks</th></tr></thead>
<tbody>${rows.map(requirementRow)}</tbody></table></div></details></section>`;
}

/** Slices of work in the order in which they are planned; any other comes after these. */
const sliceOrder = ['first-path', 'chat', 'faults', 'compat', 'money', 'media', 'webhooks'];
/** The mark of rows that no check will ever cover, such as advice to clients. */
const noSlice = 'none';

/** Rows that no check covers yet, by the slice of work they wait for; those that none can cover come last. */
export function notCovered(rows: readonly NotCovered[]): Markup | null {
  if (rows.length === 0) return null;
  const slices = new Map<string, NotCovered[]>();
  for (const row of rows) slices.set(row.slice, [...(slices.get(row.slice) ?? []), row]);
  const never = slices.get(noSlice)?.length ?? 0;
  const later = rows.length - never;
  const waiting =
    later > 0 && `${rowCount(later)} of the register ${later === 1 ? 'waits' : 'wait'} for a later slice. `;
  const silent = never > 0 && `${rowCount(never)} cannot be checked on the wire. `;
  return html`<section class="part" id="not-covered"><h2>Not covered yet</h2>
<p class="lead">${waiting}${silent}This run says nothing about them.</p>
<div class="card stack">${[...slices].sort(bySlice).map(sliceBox)}</div></section>`;
}

function sliceBox([slice, rows]: readonly [string, readonly NotCovered[]]): Markup {
  const title = slice === noSlice ? 'These rows cannot be checked on the wire' : html`Slice <b>${slice}</b>`;
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
<td dir="auto">${row.statement}<small>${row.level}. ${row.section}${row.reason !== null && html`. ${row.reason}`}</small></td>
<td>${row.checks.map((id) => html`<a class="id" href="#${anchor('check', id)}">${id}</a> `)}</td></tr>`;
}

function bySlice([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number {
  return placeOf(a) - placeOf(b) || a.localeCompare(b, 'en', { numeric: true });
}

function placeOf(slice: string): number {
  if (slice === noSlice) return sliceOrder.length + 1;
  const place = sliceOrder.indexOf(slice);
  return place === -1 ? sliceOrder.length : place;
}
