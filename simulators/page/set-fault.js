// The catalogue of faults: search, explanation, setting; above them what is set.

import { html, nothing } from 'lit-html';
import { live } from 'lit-html/directives/live.js';
import { asTime } from './bytes.js';
import { replyWord } from './words.js';

/** @typedef {import('./main.js').App} App */

/** @param {App} app */
export function faultsView(app) {
  const words = app.faultSearch.toLowerCase().split(/\s+/).filter(Boolean);
  const found = app.faults.filter((fault) => words.every((word) => textOf(fault).includes(word)));
  return html`<h2>Set on tenant <code>${app.steered}</code></h2>
    ${setView(app)}
    <button type="button" @click=${() =>
      app.act(async () => {
        await app.ofTenant('/faults', { reply: { gates: ['head'] }, times: 1 });
        return `The next call of ${app.steered} waits until you release or cut it.`;
      })}>Hold the next call</button>
    ${variantsView(app)}
    <h2>Catalogue</h2>
    <label class="wide">Search faults
      <input type="search" id="fault-search" placeholder="429, truncated, S3, tool …" .value=${live(app.faultSearch)}
        @input=${(/** @type {any} */ { target }) => app.set({ faultSearch: target.value })} /></label>
    <p class="hint">${app.faults.length === 0 ? 'Loading …' : `${found.length} of ${app.faults.length} faults`}</p>
    <ul class="faults">
      ${found.map(
        (fault) => html`<li>
          <button type="button" class="fault-name" aria-expanded=${app.faultId === fault.id ? 'true' : 'false'}
            @click=${() => app.set({ faultId: app.faultId === fault.id ? null : fault.id })}>
            <b>${fault.id}</b> ${fault.name} <small>${fault.wire}</small></button>
          ${app.faultId === fault.id ? faultView(app, fault) : nothing}
        </li>`,
      )}
    </ul>`;
}

/** @type {WeakMap<object, string>} */
const texts = new WeakMap();

/** What a search looks at. @param {any} fault */
function textOf(fault) {
  const known = texts.get(fault);
  if (known !== undefined) return known;
  const { id, name, wire, dialects = [], calls = [], forms = [] } = fault;
  const text = [id, name, wire, ...dialects, ...calls, ...forms].join(' ').toLowerCase();
  texts.set(fault, text);
  return text;
}

/** @param {App} app */
function setView(app) {
  if (app.state === null) return html`<p class="hint">Loading …</p>`;
  const all = app.state.faults ?? [];
  if (all.length === 0)
    return html`<p class="hint">No fault is set: the upstreams answer as usual${app.state.scenario ? ', but for the scenario' : ''}.</p>`;
  return html`<ul class="set">
    ${all.map((set) => {
      const left = set.expires_at_ms === null ? null : Math.max(0, set.expires_at_ms - app.now);
      const { fault } = set.reply;
      const where = Object.entries(set.when).map(
        ([name, value]) => `${name} ${typeof value === 'string' ? value : JSON.stringify(value)}`,
      );
      const facts = [
        where.length === 0 ? 'every request' : where.join(', '),
        ...(set.rate < 1 ? [`${Math.round(set.rate * 100)} % of them`] : []),
        `fired ${set.fired} ${set.fired === 1 ? 'time' : 'times'}`,
        ...(set.times_left === null ? [] : [`${set.times_left} left`]),
        left === null ? 'until removed' : `${asTime(left)} to live`,
      ];
      return html`<li><span><b>${replyWord(set.reply)}</b> ${fault?.form ?? ''} <small>${facts.join(' · ')}</small></span>
        <button type="button" aria-label=${`Remove ${replyWord(set.reply)}`} @click=${() =>
          app.act(async () => {
            await app.ofTenant(`/faults/${set.id}`, undefined, 'DELETE');
            return `Removed: ${replyWord(set.reply)}.`;
          })}>Remove</button></li>`;
    })}
  </ul>`;
}

/** Which providers the tenant plays, beside those that give the dialects their names. @param {App} app */
function variantsView(app) {
  const played = app.state?.variants ?? [];
  const left = app.variants.filter(({ name }) => !played.includes(name));
  const play = (/** @type {readonly string[]} */ variants, /** @type {string} */ said) =>
    app.act(async () => {
      await app.ofTenant('/settings', { variants }, 'PUT');
      return said;
    });
  return html`<h2>Variants of dialects</h2>
    <ul class="set">
      ${played.map((name) => {
        const { dialect = '', about = '' } = app.variants.find((one) => one.name === name) ?? {};
        return html`<li><span><b>${name}</b> ${dialect} <small>${about}</small></span>
          <button type="button" aria-label=${`Remove ${name}`} @click=${() =>
            play(
              played.filter((one) => one !== name),
              `Removed: ${name}.`,
            )}>Remove</button></li>`;
      })}
    </ul>
    <label class="stacked">Play a variant
      <select id="variant" @change=${(/** @type {any} */ { target }) => {
        const name = target.value;
        target.value = '';
        void play([...played, name], `Tenant ${app.steered} plays ${name}.`);
      }}>
        <option value="">none chosen</option>
        ${left.map(({ name, dialect, about }) => html`<option value=${name}>${name} (${dialect}): ${about}</option>`)}
      </select></label>`;
}

/** @param {App} app @param {any} fault */
function faultView(app, fault) {
  const obstacle = obstacleOf(fault);
  return html`<div class="fault-card">
    <dl class="facts">
      ${fault.dialects === undefined ? nothing : html`<dt>Dialects</dt><dd>${fault.dialects.join(', ')}</dd>`}
      ${fault.calls === undefined ? nothing : html`<dt>Calls</dt><dd>${fault.calls.join(', ')}</dd>`}
      <dt>A conforming gateway</dt><dd>${expectation(fault)}</dd>
      ${fault.held.length === 0 ? nothing : html`<dt>Compared</dt><dd>${comparedWith(fault)}</dd>`}
    </dl>
    ${obstacle === null ? formView(app, fault) : html`<p class="hint">${obstacle}</p>`}
    ${
      fault.scenario === undefined
        ? nothing
        : html`<button type="button" @click=${() =>
            app.act(async () => {
              await app.ofTenant('/scenario', { file: fault.scenario });
              return `The scenario ${fault.scenario} has begun.`;
            })}>Start the scenario</button>`
    }
  </div>`;
}

/** Why it cannot be set; null when it can. @param {any} fault */
function obstacleOf(fault) {
  if (fault.scenario !== undefined) return `It is an outage over time: the scenario ${fault.scenario}.`;
  if (fault.listener !== undefined)
    return `It is met at the listener “${fault.listener}”: an address of its own, which the command printed under listeners.`;
  if (fault.receiver !== undefined)
    return `It is a fault of a receiver of events, which is behind the gateway: ${fault.receiver}.`;
  return null;
}

/** What its bytes were last compared with. @param {any} fault */
function comparedWith({ held }) {
  const last = held.toSorted((/** @type {any} */ one, /** @type {any} */ other) =>
    one.on < other.on ? 1 : -1,
  )[0];
  return `${last.on} with ${last.against}`;
}

/** @param {any} fault */
function expectation({ verdict, task, delivery }) {
  /** @type {string[]} */
  const said = [];
  const seen = { served: 'serves the call', refused: 'refuses it', broken: 'breaks the answer off' };
  if (verdict !== undefined) {
    said.push(verdict.seen.map((/** @type {'served'} */ word) => seen[word]).join(' or '));
    if (verdict.codes.length > 0) said.push(`with the code ${verdict.codes.join(', ')}`);
    said.push(`calls the upstream ${verdict.attempts[0]} to ${verdict.attempts[1]} times`);
    said.push(verdict.charge === 'nothing' ? 'charges nothing' : 'charges what was used');
  }
  if (task !== undefined) {
    said.push(`ends the task as ${task.ends.join(' or ')}`);
    if (task.codes.length > 0) said.push(`with the code ${task.codes.join(', ')}`);
    said.push(task.charge === 'nothing' ? 'charges nothing' : 'charges what was made');
  }
  if (delivery !== undefined)
    said.push(
      `delivers the event ${delivery.attempts[0]} to ${delivery.attempts[1] ?? 'any number of'} times`,
    );
  return `${said.join('; ')}.`;
}

/** @param {App} app @param {any} fault */
function formView(app, fault) {
  const field = (/** @type {string} */ name, /** @type {string} */ word, /** @type {string} */ hint) =>
    html`<label>${word} <input name=${name} placeholder=${hint} autocomplete="off" /></label>`;
  return html`<form class="setting" @submit=${(/** @type {SubmitEvent} */ event) => {
    event.preventDefault();
    void setFault(app, fault, new FormData(/** @type {HTMLFormElement} */ (event.currentTarget)));
  }}>
    ${
      fault.forms === undefined
        ? nothing
        : html`<label>Form <select name="form">${fault.forms.map((/** @type {string} */ form) => html`<option>${form}</option>`)}</select></label>`
    }
    ${field('channel', 'Channel', 'any')} ${field('model', 'Native model', 'any')} ${field('rate', 'Share, %', '100')}
    ${field('times', 'Times', 'no limit')} ${field('ttl', 'Seconds to live', 'no limit')}
    <button type="submit" class="primary">Set ${fault.id}</button>
  </form>`;
}

/** What a field is called, and its largest number. @type {Record<string, readonly [string, number]>} */
const bounds = {
  rate: ['Share, %', 100],
  times: ['Times', Number.POSITIVE_INFINITY],
  ttl: ['Seconds to live', Number.POSITIVE_INFINITY],
};

/** @param {App} app @param {any} fault @param {FormData} form */
function setFault(app, fault, form) {
  const text = (/** @type {string} */ name) => String(form.get(name) ?? '').trim();
  const number = (/** @type {string} */ name, factor = 1) => {
    const [word, most] = bounds[name] ?? [name, Number.POSITIVE_INFINITY];
    const value = Number(text(name));
    if (!(value >= 0 && value <= most))
      throw new Error(
        `${word}: give a number${most === Number.POSITIVE_INFINITY ? '' : ` from 0 to ${most}`}`,
      );
    return text(name) === '' ? undefined : value * factor;
  };
  const when = Object.fromEntries(
    ['channel', 'model'].map((name) => [name, text(name)]).filter(([, value]) => value !== ''),
  );
  const chosen = text('form');
  const scripted = { id: fault.id, ...(chosen === '' ? {} : { form: chosen }) };
  return app.act(async () => {
    const limits = { rate: number('rate', 0.01), times: number('times'), ttl_ms: number('ttl', 1000) };
    // Some faults show only in an answer of a certain kind, which they bring along.
    const what =
      fault.reply === undefined ? { fault: scripted } : { reply: { ...fault.reply, fault: scripted } };
    await app.ofTenant('/faults', { ...what, ...(Object.keys(when).length > 0 ? { when } : {}), ...limits });
    return `${fault.id} is set on tenant ${app.steered}.`;
  });
}
