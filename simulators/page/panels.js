// The page as a whole: head, list of requests, and beside it one panel at a time.

import { html, nothing } from 'lit-html';
import { live } from 'lit-html/directives/live.js';
import { clockView } from './clock.js';
import { detailView } from './detail.js';
import { eventsView } from './events.js';
import { jobsView } from './jobs.js';
import { listView } from './list.js';
import { scenarioView } from './scenario.js';
import { faultsView } from './set-fault.js';

/** @typedef {import('./main.js').App} App */

/** @type {readonly (readonly [import('./main.js').Tab, string, (app: App) => unknown])[]} */
const panels = [
  ['detail', 'Request', detailView],
  ['faults', 'Faults', faultsView],
  ['scenario', 'Scenario', scenarioView],
  ['jobs', 'Jobs', jobsView],
  ['events', 'Events', eventsView],
];

/** @param {App} app */
export function pageView(app) {
  if (app.link === 'refused') return refusedView();
  const panel = panels.find(([name]) => name === app.tab);
  return html`<header class="top">
      <h1>Gatecheck console</h1>
      <span class="link is-${app.link}">${linkWords[app.link]}</span>
      ${clockView(app)}
    </header>
    <main class=${app.tab === 'requests' ? 'only-list' : 'only-panel'}>
      <section class="requests" aria-label="Requests">
        ${toolsView(app)} ${listView(app)}
      </section>
      <section class="side" aria-label="Tools">
        ${tabsView(app)}
        <p class="message ${app.isError ? 'is-error' : ''}" ?hidden=${app.message === ''}>${app.message}</p>
        <div class="panel" id="panel" role="tabpanel" aria-labelledby=${`tab-${app.tab}`} tabindex="0"
          @keydown=${(/** @type {KeyboardEvent} */ event) => {
            if (event.key === 'Escape') document.getElementById('list')?.focus();
          }}>
          ${panel === undefined ? nothing : panel[2](app)}
        </div>
      </section>
    </main>`;
}

const linkWords = {
  connecting: 'connecting …',
  live: 'live',
  lost: 'connection lost, trying again',
  refused: '',
};

function refusedView() {
  return html`<main class="refused"><h1>Gatecheck console</h1>
    <p>This page needs its token. Open the address that the command printed as <code>console_url</code>.</p></main>`;
}

/** @param {App} app */
function toolsView(app) {
  const tenants = [
    ...new Set(['default', ...app.tenants, ...(app.tenant === '' ? [] : [app.tenant])]),
  ].toSorted();
  const count = app.rows.shown(app.tenant, app.search).length;
  return html`<div class="tools">
    <label>Tenant
      <select @change=${(/** @type {any} */ { target }) => {
        app.set({ tenant: target.value });
        void app.readTenant();
      }}>
        <option value="" ?selected=${app.tenant === ''}>all</option>
        ${tenants.map((tenant) => html`<option value=${tenant} ?selected=${app.tenant === tenant}>${tenant}</option>`)}
      </select>
    </label>
    <label class="grow">Search
      <input type="search" placeholder="channel, model, status, fault …" .value=${live(app.search)}
        @input=${(/** @type {any} */ { target }) => app.set({ search: target.value })} />
    </label>
    <button type="button" aria-pressed=${app.follow ? 'true' : 'false'} @click=${() => app.set({ follow: !app.follow })}>Follow</button>
    <button type="button" @click=${() =>
      app.act(async () => {
        await app.ofTenant('/reset', {});
        return `Tenant ${app.steered} is as new.`;
      })}>Reset tenant</button>
    <span class="count">${count} ${count === 1 ? 'request' : 'requests'}</span>
  </div>`;
}

/** @param {App} app */
function tabsView(app) {
  const { state } = app;
  /** @type {Record<string, number | undefined>} */
  const counts = { faults: state?.faults.length, jobs: state?.jobs.length };
  const names = [/** @type {const} */ (['requests', 'Requests']), ...panels];
  return html`<div class="tabs" role="tablist" aria-label="Tools" @keydown=${(/** @type {KeyboardEvent} */ event) => onTabKey(app, event)}>
    ${names.map(
      ([name, word]) => html`<button type="button" role="tab" id=${`tab-${name}`} class="tab-${name}"
        aria-selected=${app.tab === name ? 'true' : 'false'} aria-controls="panel" tabindex=${app.tab === name ? 0 : -1}
        @click=${() => openTab(app, name)}>${word}${counts[name] ? html` <span class="n">${counts[name]}</span>` : nothing}</button>`,
    )}
  </div>`;
}

/** @param {App} app @param {import('./main.js').Tab} tab */
function openTab(app, tab) {
  app.set({ tab, message: '' });
  void app.readTenant();
}

/** @param {App} app @param {KeyboardEvent} event */
function onTabKey(app, event) {
  const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
  if (step === 0) return;
  const tabs = [...document.querySelectorAll('[role=tab]')].filter(
    (tab) => /** @type {HTMLElement} */ (tab).offsetParent !== null,
  );
  const at = tabs.findIndex(({ id }) => id === `tab-${app.tab}`);
  const next = /** @type {HTMLElement | undefined} */ (tabs[(at + step + tabs.length) % tabs.length]);
  next?.focus();
  next?.click();
}
