// Events that a gateway delivered to the receiver beside the simulators, and whether they are rightly signed.

import { html } from 'lit-html';
import { asPretty, fromBase64 } from './bytes.js';

/** @typedef {import('./main.js').App} App */

/** @param {App} app */
export function eventsView(app) {
  const { events } = app;
  if (events === null) return html`<p class="hint">Reading …</p>`;
  if (!events.receiver)
    return html`<p class="hint">Nothing here receives events. <code>gatecheck up --ui</code> starts a receiver.</p>`;
  if (events.deliveries.length === 0) return html`<p class="hint">No event has been delivered yet.</p>`;
  return html`<h2>Deliveries</h2>
    <ul class="events">
      ${events.deliveries.map(
        (one) => html`<li>
          <details><summary><b class="state is-${one.signature.ok ? 'well' : 'failed'}">${one.signature.ok ? 'signed' : one.signature.word}</b>
            ${one.type ?? one.method} <small>${new Date(one.at_ms).toISOString().slice(11, 23)} · ${one.inbox} · try ${one.nth} · answered ${one.answered}</small></summary>
            <p><small>${one.signature.message}</small></p>
            <pre tabindex="0" aria-label="Headers">${one.headers.map(([name, value]) => `${name}: ${value}`).join('\n')}</pre>
            <pre tabindex="0" aria-label="Body">${asPretty(fromBase64(one.body_base64))}</pre>
          </details></li>`,
      )}
    </ul>`;
}
