// The simulators' clock, and buttons that move it where it can be moved.

import { html, nothing } from 'lit-html';
import { call } from './api.js';
import { asTime } from './bytes.js';

/** @typedef {import('./main.js').App} App */

/** @type {readonly (readonly [string, number])[]} */
const steps = [
  ['1 s', 1000],
  ['10 s', 10_000],
  ['1 min', 60_000],
  ['1 h', 3_600_000],
];

/** @param {App} app */
export function clockView(app) {
  const { state } = app;
  if (state === null) return nothing;
  const due = state.next_due_ms === null ? null : Math.max(0, state.next_due_ms - state.now_ms);
  return html`<div class="clock" role="group" aria-label="Clock of the upstreams">
    <span class="now">${new Date(state.now_ms).toISOString().replace('T', ' ').slice(0, 19)}</span>
    ${
      state.clock
        ? html`${steps.map(
            ([word, ms]) =>
              html`<button type="button" aria-label=${`Move the clock by ${word}`} @click=${() => move(app, ms)}>+${word}</button>`,
          )}
        ${due === null ? nothing : html`<button type="button" @click=${() => move(app, due)}>next event (${asTime(due)})</button>`}`
        : html`<small>real time</small>`
    }
  </div>`;
}

/** @param {App} app @param {number} ms */
function move(app, ms) {
  void app.act(async () => {
    await call('/clock', { advance_ms: Math.ceil(ms) });
    return `The clock was moved by ${asTime(ms)}.`;
  });
}
