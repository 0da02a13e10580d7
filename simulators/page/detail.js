// One request: what it is, its bytes both ways, the events of its stream, its tool calls, and what can be copied of it.

import { html, nothing } from 'lit-html';
import { call } from './api.js';
import { asHex, asPretty, asSize, asText, asTime, fromBase64 } from './bytes.js';
import { copiesOf } from './copies.js';
import { framesOf } from './frames.js';
import { payloadOf } from './payload.js';
import { toolCallsIn } from './tool-calls.js';
import { endWord, ruleWord } from './words.js';

/** @typedef {import('./main.js').App} App */
/** @typedef {import('../control/journal.ts').JournalEntry & { readonly plain?: Uint8Array | null }} Entry */

/** So much is shown at once; a browser stutters at megabytes in one box. */
const maxShown = 64 * 1024;
const maxFrames = 2000;

/** @type {readonly (readonly [string, string])[]} */
const parts = [
  ['overview', 'Overview'],
  ['request', 'Sent'],
  ['reply', 'Answer'],
  ['frames', 'Frames'],
  ['tools', 'Tool calls'],
  ['copy', 'Copy as'],
];

/** @param {App} app */
export function detailView(app) {
  const { chosen, entry, entryError } = app;
  if (chosen === null)
    return html`<p class="hint">Choose a request: its bytes, times and tool calls are shown here.</p>`;
  if (entryError !== '') return html`<p class="hint">${entryError}</p>`;
  if (entry === null) return html`<p class="hint">Reading request ${chosen.n} …</p>`;
  return html`<h2>${entry.request.method} <code>${entry.request.path}</code></h2>
    <div class="parts" role="group" aria-label="Parts of the request">
      ${parts.map(
        ([name, word]) => html`<button type="button" aria-pressed=${app.part === name ? 'true' : 'false'}
          @click=${() => app.set({ part: name })}>${word}</button>`,
      )}
    </div>
    ${partView(app, entry)}`;
}

/** @type {WeakMap<Entry, Map<string, any>>} */
const known = new WeakMap();

/**
 * What is worked out of the bytes of a request, once: the page is drawn again with each row that arrives.
 * @template T @param {Entry} entry @param {string} name @param {() => T} work @returns {T}
 */
function once(entry, name, work) {
  const own = known.get(entry) ?? new Map();
  known.set(entry, own);
  if (!own.has(name)) own.set(name, work());
  return own.get(name);
}

/** @param {Entry} entry */
const sentBytes = (entry) => once(entry, 'sent', () => fromBase64(entry.request.body_base64));
/** @param {Entry} entry */
const answerBytes = (entry) => once(entry, 'answer', () => fromBase64(entry.reply.body_base64));
/** @param {Entry} entry */
const plainBytes = (entry) => entry.plain ?? answerBytes(entry);
/** @param {Entry} entry */
const frames = (entry) => once(entry, 'frames', () => framesOf(plainBytes(entry), entry.reply.sends));

/** @param {App} app @param {Entry} entry */
function partView(app, entry) {
  switch (app.part) {
    case 'request':
      return html`${headersView(entry.request, 'request')}${bytesView(entry, 'Body', sentBytes(entry))}`;
    case 'reply':
      return html`${headersView(entry.reply, 'answer')}${bytesView(entry, 'Bytes of the answer', answerBytes(entry), plainBytes(entry))}`;
    case 'frames':
      return framesView(entry);
    case 'tools':
      return toolsView(entry);
    case 'copy':
      return copyView(app, entry);
    default:
      return overviewView(app, entry);
  }
}

/** @param {App} app @param {Entry} entry */
function overviewView(app, entry) {
  const { reply } = entry;
  const row = app.rows.find(entry.tenant, entry.n);
  const fault = app.faults.find(({ id }) => id === reply.fault?.id);
  const first = reply.sends[0]?.actual_ms;
  return html`<dl class="facts">
    <dt>Tenant, channel</dt><dd>${entry.tenant}, ${entry.channel}</dd>
    <dt>Arrived</dt><dd>${new Date(entry.received_at_ms).toISOString()}</dd>
    <dt>First byte</dt><dd>${first === undefined ? 'none yet' : `after ${asTime(first - entry.received_at_ms)}`}</dd>
    <dt>End</dt><dd>${row === undefined ? reply.ended : endWord(row)}${reply.ended_at_ms === null ? '' : ` after ${asTime(reply.ended_at_ms - entry.received_at_ms)}`}</dd>
    <dt>Status</dt><dd>${reply.status ?? 'none'}</dd>
    <dt>Try</dt><dd>${row === undefined ? '' : app.rows.tryOf(row)}${row?.agent ? html` <small>by ${row.agent}${row.key === null ? '' : `, key ${row.key}`}</small>` : nothing}</dd>
    ${
      reply.fault === undefined
        ? nothing
        : html`<dt>Fault</dt><dd><b>${reply.fault.id}</b> ${fault?.name ?? ''} ${reply.fault.form ?? ''}
      <br />${fault?.wire ?? ''}${reply.fault.misfit === undefined ? nothing : html`<br />${reply.fault.misfit}`}</dd>`
    }
    ${reply.variants === undefined ? nothing : html`<dt>Variant</dt><dd>${reply.variants.join(', ')}</dd>`}
    ${reply.script === null ? nothing : html`<dt>Script</dt><dd>${reply.script}</dd>`}
    ${
      reply.draws === undefined
        ? nothing
        : html`<dt>Draws</dt><dd>call ${reply.draws.nth} of ${reply.draws.route}, seed ${reply.draws.seed}${
            reply.draws.disturbed_by === null
              ? ''
              : `, disturbed by ${ruleWord(app, reply.draws.disturbed_by)}`
          }</dd>`
    }
  </dl>
  ${reply.waiting_at === null ? nothing : heldView(app, entry)}
  <h3>Writes</h3>
  <table><caption class="unseen">What was sent, and when</caption>
    <thead><tr><th scope="col">Part</th><th scope="col">Planned</th><th scope="col">Sent</th><th scope="col">Bytes</th></tr></thead>
    <tbody>${reply.sends.slice(0, maxFrames).map(
      ({
        label,
        intended_ms,
        actual_ms,
        bytes,
      }) => html`<tr><td>${label}</td><td>${asTime(intended_ms - entry.received_at_ms)}</td>
        <td>${asTime(actual_ms - entry.received_at_ms)}</td><td>${asSize(bytes)}</td></tr>`,
    )}</tbody></table>`;
}

/** What can become of a call that waits. @param {App} app @param {Entry} entry */
function heldView(app, { tenant, n, reply }) {
  const release = (/** @type {() => object} */ how, /** @type {string} */ done) =>
    app.act(async () => {
      const path = `/tenants/${encodeURIComponent(tenant)}/release`;
      const { released } = await call(path, { request: n, ...how() });
      return released === 0 ? `Request ${n} waits no more.` : done;
    });
  const edited = (/** @type {SubmitEvent} */ event) => {
    event.preventDefault();
    const form = new FormData(/** @type {HTMLFormElement} */ (event.currentTarget));
    void release(() => ({ reply: JSON.parse(String(form.get('reply'))) }), `Request ${n} gets your answer.`);
  };
  return html`<button type="button" @click=${() => release(() => ({}), `Request ${n} goes on.`)}>Release</button>
    <button type="button" @click=${() => release(() => ({ cut: true }), `Request ${n} was cut.`)}>Cut</button>
    ${
      reply.waiting_at === 'head'
        ? html`<form class="setting" @submit=${edited}>
            <label>Your answer, as a scripted reply <textarea name="reply" rows="4">{ "text": "Hello.", "finish": "stop" }</textarea></label>
            <button type="submit" class="primary">Release with this answer</button>
          </form>`
        : nothing
    }`;
}

/** @param {{ headers: [string, string][] }} message @param {string} word */
function headersView({ headers }, word) {
  return html`<h3>Headers</h3>
    <pre tabindex="0" aria-label=${`Headers of the ${word}`}>${headers.map(([name, value]) => `${name}: ${value}`).join('\n')}</pre>`;
}

/** The text may be decoded; the bytes are those of the wire. @param {Entry} entry @param {string} word @param {Uint8Array} bytes */
function bytesView(entry, word, bytes, plain = bytes) {
  const shown = bytes.subarray(0, maxShown);
  const isMore = bytes.length > maxShown;
  const text = once(entry, `${word} as text`, () =>
    plain.length > maxShown ? asText(plain.subarray(0, maxShown)) : asPretty(plain),
  );
  const hex = once(entry, `${word} as hex`, () => asHex(shown));
  return html`<h3>${word} <small>${asSize(bytes.length)}${isMore ? `, of which ${asSize(maxShown)} are shown` : ''}</small></h3>
    ${
      bytes.length === 0
        ? html`<p class="hint">None.</p>`
        : html`<details open><summary>Text</summary><pre tabindex="0" aria-label=${`${word} as text`}>${text}</pre></details>
        <details><summary>Hex</summary><pre tabindex="0" class="hex" aria-label=${`${word} as hex`}>${hex}</pre></details>`
    }`;
}

/** @param {Entry} entry */
function framesView(entry) {
  const all = frames(entry);
  if (all.length === 0) return html`<p class="hint">The answer is not an event stream.</p>`;
  let before = entry.received_at_ms;
  return html`<table class="frames"><caption>${all.length} events</caption>
    <thead><tr><th scope="col">After</th><th scope="col">Gap</th><th scope="col">Event</th><th scope="col">Text</th><th scope="col">Data</th></tr></thead>
    <tbody>${all.slice(0, maxFrames).map(({ atMs, label, event, data }) => {
      const gap = atMs - before;
      before = atMs;
      return html`<tr><td>${asTime(atMs - entry.received_at_ms)}</td><td>${asTime(Math.max(0, gap))}</td>
        <td>${event ?? label}</td><td class="said">${textIn(data) ?? ''}</td>
        <td><code title=${data.slice(0, 4000)}>${data.slice(0, 4000)}</code></td></tr>`;
    })}</tbody></table>`;
}

/** What an event adds to the text of an answer, in any dialect. @param {string} data */
function textIn(data) {
  try {
    const { choices, delta, candidates } = JSON.parse(data);
    const piece = choices?.[0]?.delta?.content ?? delta?.text ?? delta?.partial_json;
    return (
      piece ?? candidates?.[0]?.content?.parts?.map((/** @type {any} */ part) => part.text ?? '').join('')
    );
  } catch {
    return null;
  }
}

/** @param {Entry} entry */
function toolsView(entry) {
  const calls = once(entry, 'tools', () =>
    toolCallsIn(asText(payloadOf(plainBytes(entry)).bytes), frames(entry)),
  );
  if (calls.length === 0) return html`<p class="hint">The answer calls no tool.</p>`;
  return calls.map(
    ({ id, name, arguments: given }) => html`<h3>${name || 'without a name'} <small>${id ?? ''}</small></h3>
      <pre tabindex="0" aria-label=${`Arguments of ${name}`}>${asPretty(new TextEncoder().encode(given))}</pre>`,
  );
}

/** @param {App} app @param {Entry} entry */
function copyView(app, entry) {
  return once(entry, 'copies', () => copiesOf(entry, location.origin)).map(({ name, text }) => {
    const isMore = text.length > maxShown;
    return html`<h3>${name} <button type="button" @click=${() => copy(app, name, text)}>Copy</button>
      ${isMore ? html`<small>of ${asSize(text.length)} the first ${asSize(maxShown)} are shown</small>` : nothing}</h3>
      <pre tabindex="0" aria-label=${name}>${isMore ? text.slice(0, maxShown) : text}</pre>`;
  });
}

/** @param {App} app @param {string} name @param {string} text */
async function copy(app, name, text) {
  try {
    await navigator.clipboard.writeText(text);
    app.say(`${name} copied.`);
  } catch {
    app.say('The browser does not let the page copy: select the text instead.', true);
  }
}
