// The list of requests: a waterfall of which only the rows in view exist.

import { html, nothing, svg } from 'lit-html';
import { axisOf } from './axis.js';
import { asSize, asTime } from './bytes.js';
import { endWord, ruleWord, shortPath, stateOf } from './words.js';

/** @typedef {import('./main.js').App} App */
/** @typedef {import('../control/console-shapes.ts').ConsoleRow} Row */

/** Rows beyond the edges, so that quick scrolling shows no gap. */
const spare = 6;

/** Whether there is room for one part of the page alone, as the style sheet has it. */
export function isNarrow() {
  return matchMedia('(max-width: 47.99rem)').matches;
}

/** The height of a row, as the style sheet has it. */
export function rowHeight() {
  return isNarrow() ? 56 : 30;
}

/** @param {App} app */
export function listView(app) {
  const rows = app.rows.shown(app.tenant, app.search);
  const height = rowHeight();
  const from = Math.max(0, Math.floor(app.scrollTop / height) - spare);
  const to = Math.min(rows.length, Math.ceil((app.scrollTop + app.listHeight) / height) + spare);
  const seen = rows.slice(from, to);
  const axis = axisOf(
    seen.map((row) => ({ from: row.at_ms, to: row.ended_ms ?? Math.max(row.at_ms, app.now) })),
  );
  const chosen = placeOfChosen(app, rows);
  const active = chosen >= from && chosen < to ? idOf(seen[chosen - from]) : nothing;
  return html`<div
    class="list"
    role="grid"
    id="list"
    aria-label="Requests to the upstreams"
    aria-rowcount=${rows.length + 1}
    aria-activedescendant=${active}
    tabindex="0"
    @scroll=${(/** @type {Event} */ event) => onScroll(app, event)}
    @keydown=${(/** @type {KeyboardEvent} */ event) => onKey(app, event)}
  >
    <div role="rowgroup" class="headgroup">
      <div class="row head" role="row" aria-rowindex="1">
        ${['Nr.', 'Request', 'Channel', 'Fault', 'Status', 'Bytes', 'Time'].map(
          (word) =>
            html`<div role="columnheader" class="c-${word === 'Nr.' ? 'nr' : word.toLowerCase()}">${word}</div>`,
        )}
        <div role="columnheader" class="c-bar">
          <span>${seen.length > 0 ? clockTime(axis.from) : 'Waterfall'}</span>
          <span>${seen.length > 0 ? `+${asTime(axis.to - axis.from)}` : ''}</span>
        </div>
      </div>
    </div>
    <div class="space" role="rowgroup" data-height=${rows.length * height}>
      <div class="window" role="presentation" data-top=${from * height}>
        ${seen.map((row, at) => rowView(app, row, from + at, axis))}
      </div>
    </div>
    ${rows.length === 0 ? emptyView(app) : nothing}
  </div>`;
}

/** @param {App} app @param {readonly Row[]} rows */
function placeOfChosen({ chosen }, rows) {
  return chosen === null ? -1 : rows.findIndex(({ tenant, n }) => tenant === chosen.tenant && n === chosen.n);
}

/** @param {App} app */
function emptyView(app) {
  const body = '{"model": "any-model", "messages": [{"role": "user", "content": "Hi"}]}';
  const said =
    app.rows.size > 0
      ? 'No request fits the search.'
      : app.providerUrl === ''
        ? ''
        : html`No request has reached the upstreams yet. Each one becomes a row here. Any model and any key will do:
        <pre tabindex="0" aria-label="A call to copy">curl ${app.providerUrl}/v1/chat/completions -H 'authorization: Bearer any' -H 'content-type: application/json' -d '${body}'</pre>`;
  return html`<div role="rowgroup"><div role="row"><div role="gridcell" class="empty">${said}</div></div></div>`;
}

/** @param {App} app @param {Row} row @param {number} at @param {ReturnType<typeof axisOf>} axis */
function rowView(app, row, at, axis) {
  const state = stateOf(row);
  const isChosen = app.chosen?.tenant === row.tenant && app.chosen.n === row.n;
  const nth = app.rows.tryOf(row);
  const end = row.ended_ms ?? Math.max(row.at_ms, app.now);
  return html`<div
    class="row is-${state}"
    role="row"
    id=${idOf(row)}
    aria-rowindex=${at + 2}
    aria-selected=${isChosen ? 'true' : 'false'}
    @click=${() => {
      app.set({ tab: 'detail', follow: false });
      app.choose({ tenant: row.tenant, n: row.n });
    }}
  >
    <div role="gridcell" class="c-nr">${app.tenant === '' && row.tenant !== 'default' ? html`<small>${row.tenant}</small> ` : nothing}${row.n}</div>
    <div role="gridcell" class="c-request">
      ${
        nth > 1 ? html`<span class="try" title="The same call, tried again">try ${nth}</span> ` : nothing
      }${row.method === 'POST' ? nothing : html`<b>${row.method}</b> `}${shortPath(row)}
      <small>${row.model ?? ''}</small>
    </div>
    <div role="gridcell" class="c-channel">${row.channel}</div>
    <div role="gridcell" class="c-fault">${faultWord(app, row)}</div>
    <div role="gridcell" class="c-status"><span class="state">${row.status ?? '–'}${row.says_error || !['well', 'refused', 'failed'].includes(state) ? html` <small>${endWord(row)}</small>` : nothing}</span></div>
    <div role="gridcell" class="c-bytes">${asSize(row.reply_bytes)}</div>
    <div role="gridcell" class="c-time">${asTime(end - row.at_ms)}</div>
    <div role="gridcell" class="c-bar">${barView(row, end, axis)}</div>
  </div>`;
}

/** @param {App} app @param {Row} row */
function faultWord(app, row) {
  if (row.fault !== null) {
    const word = `${row.fault.id}${row.fault.form === null ? '' : ` ${row.fault.form}`}`;
    return html`<span class="fault" title=${word}>${word}</span>`;
  }
  return row.by === null ? nothing : html`<small>${ruleWord(app, row.by)}</small>`;
}

/** Waiting for the first byte thin, sending thick. @param {Row} row @param {number} end @param {ReturnType<typeof axisOf>} axis */
function barView(row, end, axis) {
  const [from, first, to] = [row.at_ms, row.first_ms ?? end, end].map((ms) => axis.place(ms) * 1000);
  if (from === undefined || first === undefined || to === undefined) return nothing;
  const label = `${asTime((row.first_ms ?? end) - row.at_ms)} until the first byte, ${asTime(end - row.at_ms)} in all`;
  return html`<svg class="bar" viewBox="0 0 1000 12" preserveAspectRatio="none" role="img" aria-label=${label}>
    ${axis.cuts.map((cut) => svg`<rect class="pause" x=${cut * 1000 - 2} y="0" width="4" height="12" />`)}
    <rect class="wait" x=${from} y="4.5" width=${Math.max(3, first - from)} height="3" />
    <rect class="send" x=${Math.min(first, 996)} y="1" width=${Math.max(4, to - first)} height="10" />
  </svg>`;
}

/** @param {Row | undefined} row */
function idOf(row) {
  return row === undefined ? '' : `row-${row.tenant}-${row.n}`;
}

/** @param {number} ms */
function clockTime(ms) {
  return new Date(ms).toISOString().slice(11, 23);
}

/** @param {App} app @param {Event} event */
function onScroll(app, { currentTarget }) {
  const list = /** @type {HTMLElement} */ (currentTarget);
  const isAtEnd = list.scrollTop + list.clientHeight >= list.scrollHeight - rowHeight();
  app.set({ scrollTop: list.scrollTop, listHeight: list.clientHeight, follow: isAtEnd });
}

/** @param {App} app @param {KeyboardEvent} event */
function onKey(app, event) {
  // Keys can come quicker than drawings.
  const rows = app.rows.shown(app.tenant, app.search);
  const chosen = placeOfChosen(app, rows);
  const page = Math.max(1, Math.floor(app.listHeight / rowHeight()) - 2);
  /** @type {Record<string, number>} */
  const steps = {
    ArrowDown: 1,
    ArrowUp: -1,
    PageDown: page,
    PageUp: -page,
    Home: -rows.length,
    End: rows.length,
  };
  if (event.key === 'Enter' && chosen >= 0) {
    app.set({ tab: 'detail' });
    requestAnimationFrame(() => requestAnimationFrame(() => document.getElementById('tab-detail')?.focus()));
    return event.preventDefault();
  }
  const step = steps[event.key];
  if (step === undefined || rows.length === 0) return;
  event.preventDefault();
  const start = chosen < 0 ? (step > 0 ? -1 : rows.length) : chosen;
  const row = rows[Math.min(rows.length - 1, Math.max(0, start + step))];
  if (row === undefined) return;
  app.follow = event.key === 'End';
  reveal(rows.indexOf(row));
  app.choose({ tenant: row.tenant, n: row.n });
}

/** Scrolls the row into view. @param {number} at */
function reveal(at) {
  const list = document.getElementById('list');
  if (list === null) return;
  const height = rowHeight();
  const [top, bottom] = [at * height, (at + 1) * height];
  const room = list.clientHeight - height;
  if (top < list.scrollTop) list.scrollTop = top;
  else if (bottom > list.scrollTop + room) list.scrollTop = bottom - room;
}

/** Sizes and places that no style sheet can know; set by script, because the policy forbids style attributes. @param {App} app */
export function afterDraw(app) {
  const list = document.getElementById('list');
  if (list === null) return;
  for (const space of list.querySelectorAll('.space')) {
    if (!(space instanceof HTMLElement)) continue;
    space.style.height = `${space.dataset.height}px`;
    const shown = space.firstElementChild;
    if (shown instanceof HTMLElement) shown.style.transform = `translateY(${shown.dataset.top}px)`;
  }
  if (app.follow && list.scrollTop + list.clientHeight < list.scrollHeight - 1)
    list.scrollTop = list.scrollHeight;
  if (list.clientHeight !== app.listHeight && list.clientHeight > 0)
    app.set({ listHeight: list.clientHeight });
}
