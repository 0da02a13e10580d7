// Scenarios: which there are, what the one that runs does over time, and where it is.

import { html, nothing, svg } from 'lit-html';
import { asTime } from './bytes.js';

/** @typedef {import('./main.js').App} App */
/** @typedef {import('../control/console-shapes.ts').ScenarioPlan} Plan */
/** @typedef {import('../control/scenario.ts').ScenarioState} State */

/** @param {App} app */
export function scenarioView(app) {
  const run = app.state?.scenario ?? null;
  return html`<h2>Scenario of tenant <code>${app.steered}</code></h2>
    ${run === null ? html`<p class="hint">None: start one below.</p>` : runView(app, run.state, run.plan)}
    <h2>Scenarios</h2>
    <ul class="scenarios">
      ${app.scenarios.map(
        (plan) => html`<li>
          <div><b>${plan.name}</b><br /><small>${plan.description ?? ''}</small>${lengthOf(plan) > 0 ? stripsView(plan, null, 0) : nothing}</div>
          <button type="button" aria-label=${`Start ${plan.name}`} @click=${() =>
            app.act(async () => {
              await app.ofTenant('/scenario', { file: plan.name });
              return `${plan.name} has begun on tenant ${app.steered}.`;
            })}>Start</button>
        </li>`,
      )}
    </ul>`;
}

/** @param {App} app @param {State} state @param {Plan} plan */
function runView(app, state, plan) {
  const sinceMs = state.began_at_ms === null ? 0 : Math.max(0, app.now - state.began_at_ms);
  const channels = Object.entries(state.channels);
  return html`<p><b>${state.name}</b> <small>seed ${state.seed} · ${state.began_at_ms === null ? 'begins with the first request' : `since ${asTime(sinceMs)}`}</small></p>
    ${stripsView(plan, state, sinceMs)}
    ${
      channels.length === 0
        ? html`<p class="hint">Its channels have had no request yet.</p>`
        : html`<table><caption class="unseen">Phase of each channel</caption><thead><tr><th scope="col">Channel</th><th scope="col">Phase</th><th scope="col">Since</th></tr></thead>
          <tbody>${channels.map(
            ([
              name,
              { phase },
            ]) => html`<tr><td>${name}</td><td>${phase === null ? 'outside of phases' : (phase.name ?? `phase ${phase.index + 1}`)}</td>
              <td>${phase === null ? '' : asTime(Math.max(0, app.now - phase.since_ms))}</td></tr>`,
          )}</tbody></table>`
    }
    <p class="buttons">
      <button type="button" @click=${() =>
        app.act(async () => {
          await app.ofTenant('/scenario/step', {});
          return 'Every channel is in its next phase.';
        })}>Next phase</button>
      <button type="button" @click=${() =>
        app.act(async () => {
          await app.ofTenant('/scenario', undefined, 'DELETE');
          return 'The scenario has ended.';
        })}>End it</button>
    </p>`;
}

/** How long what can be drawn takes, ms; what has no end counts as the longest other piece. @param {Plan} plan */
function lengthOf(plan) {
  return Math.max(0, ...Object.values(plan.channels).map((channel) => piecesOf(channel).at(-1)?.to ?? 0));
}

/**
 * The pieces of a channel over time.
 * @param {Plan['channels'][string]} channel
 * @returns {{ from: number, to: number, name: string, isBad: boolean, rates: readonly [number, number] }[]}
 */
function piecesOf({ phases = [], outages = [] }) {
  const usual = Math.max(10_000, ...phases.map(({ for_ms = 0 }) => for_ms));
  let at = 0;
  const drawn = phases.map((phase, index) => {
    const from = at;
    at += phase.for_ms ?? usual;
    const isBad =
      (phase.faults ?? []).length > 0 || phase.flapping !== undefined || phase.capacity !== undefined;
    return {
      from,
      to: at,
      name: phase.name ?? `phase ${index + 1}`,
      isBad,
      rates: ratesOf(phase.faults ?? []),
    };
  });
  const broken = outages.map(({ from_ms, until_ms }) => ({
    from: from_ms,
    to: until_ms ?? Math.max(at, from_ms + usual),
    name: 'outage',
    isBad: true,
    rates: whole,
  }));
  return [...drawn, ...broken];
}

const whole = /** @type {const} */ ([1, 1]);

/**
 * The share of calls that fail, at the beginning of a phase and at its end; the whole height where nothing says.
 * @param {readonly { rate?: number | { from: number, to: number } }[]} faults @returns {readonly [number, number]}
 */
function ratesOf(faults) {
  const rates = faults.map(({ rate = 1 }) =>
    typeof rate === 'number' ? [rate, rate] : [rate.from, rate.to],
  );
  if (rates.length === 0) return whole;
  return [Math.max(...rates.map(([from = 1]) => from)), Math.max(...rates.map(([, to = 1]) => to))];
}

/** @param {Plan} plan @param {State | null} state @param {number} sinceMs */
function stripsView(plan, state, sinceMs) {
  const length = Math.max(1, lengthOf(plan));
  return Object.entries(plan.channels).map(([pattern, channel]) => {
    const pieces = piecesOf(channel);
    if (pieces.length === 0)
      return html`<div class="strip"><code>${pattern}</code> <small>the same all the time</small></div>`;
    const current =
      Object.entries(state?.channels ?? {}).find(([name]) => fits(pattern, name))?.[1].phase ?? null;
    const told = pieces
      .map(({ name, from, to }) => `${name} from ${asTime(from)} to ${asTime(to)}`)
      .join(', ');
    return html`<div class="strip"><code>${pattern}</code>
      <svg viewBox="0 0 1000 16" preserveAspectRatio="none" role="img" aria-label=${`${pattern}: ${told}`}>
        ${pieces.map(({ from, to, isBad, rates: [first, last] }, index) => {
          const [left, right] = [
            (from / length) * 1000,
            Math.max((from / length) * 1000 + 3, (to / length) * 1000 - 2),
          ];
          const [start, end] = [first, last].map((rate) => 15 - 14 * rate);
          return svg`<polygon class=${`${isBad ? 'bad' : 'good'} ${current?.index === index ? 'now' : ''}`}
              points=${`${left},15 ${left},${start} ${right},${end} ${right},15`} />`;
        })}
        ${state === null || sinceMs > length ? nothing : svg`<rect class="mark" x=${(sinceMs / length) * 998} y="0" width="3" height="16" />`}
      </svg>
      <small>${pieces.map(({ name }) => name).join(' → ')}${channel.loop === true ? ' ↺' : ''}</small></div>`;
  });
}

/** @param {string} pattern @param {string} name */
function fits(pattern, name) {
  const parts = pattern.split('*').map((part) => part.replace(/[.+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${parts.join('.*')}$`).test(name);
}
