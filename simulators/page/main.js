// Starts the page: the feed of requests, the state of the tenant in view, and one function that draws everything.

import { render } from 'lit-html';
import { call, Refused, readFeed } from './api.js';
import { decodedBody } from './decode.js';
import { afterDraw, isNarrow } from './list.js';
import { pageView } from './panels.js';
import { nameOf, Rows } from './store.js';

/** @typedef {import('../control/console-shapes.ts').ConsoleTenant} Tenant */
/** @typedef {import('../control/console-shapes.ts').ScenarioPlan} Plan */
/** @typedef {import('../control/journal.ts').JournalEntry} Entry */
/** @typedef {'requests' | 'detail' | 'faults' | 'scenario' | 'jobs' | 'events'} Tab */

/** How often the tenant in view is read again, ms. */
const readEveryMs = 1000;
const retryMs = 2000;

/** Everything that is drawn. */
export class App {
  rows = new Rows();
  /** @type {string[]} */
  tenants = [];
  /** The tenant in view; empty for all of them. */
  tenant = '';
  search = '';
  follow = true;
  scrollTop = 0;
  listHeight = 600;
  /** @type {{ tenant: string, n: number } | null} */
  chosen = null;
  /** @type {Entry | null} */
  entry = null;
  entryError = '';
  /** What part of the request is shown. */
  part = 'overview';
  /** @type {Tab} */
  tab = isNarrow() ? 'requests' : 'faults';
  /** @type {Tenant | null} */
  state = null;
  /** When the state was read, by the page's own clock. */
  readAt = 0;
  /** @type {any[]} */
  faults = [];
  /** @type {import('../control/protocol.ts').VariantFacts[]} */
  variants = [];
  /** Where clients reach the upstreams. */
  providerUrl = '';
  /** @type {Plan[]} */
  scenarios = [];
  /** @type {import('../control/console-shapes.ts').ConsoleEvents | null} before they were read */
  events = null;
  faultSearch = '';
  /** @type {string | null} */
  faultId = null;
  /** @type {'connecting' | 'live' | 'lost' | 'refused'} */
  link = 'connecting';
  message = '';
  isError = false;
  #isDrawn = true;
  #entryVersion = '';

  /** The tenant that faults, scenarios and jobs of the panels belong to. */
  get steered() {
    return this.tenant || 'default';
  }

  /** The simulators' time now, as far as it is known. */
  get now() {
    return this.state === null ? Date.now() : this.state.now_ms + (performance.now() - this.readAt);
  }

  draw = () => {
    if (!this.#isDrawn) return;
    this.#isDrawn = false;
    requestAnimationFrame(() => {
      this.#isDrawn = true;
      render(pageView(this), /** @type {HTMLElement} */ (document.getElementById('app')));
      afterDraw(this);
    });
  };

  /** @param {Partial<App>} change */
  set = (change) => {
    Object.assign(this, change);
    this.draw();
  };

  /** Says what happened, to eyes and to screen readers. @param {string} message @param {boolean} [isError] */
  say = (message, isError = false) => {
    this.set({ message, isError });
    const live = document.getElementById('live');
    if (live !== null) live.textContent = message;
  };

  /** Does something that can be refused, says how it went, and reads the tenant again. @param {() => Promise<string>} work */
  act = async (work) => {
    try {
      this.say(await work());
    } catch (error) {
      this.say(error instanceof Error ? error.message : String(error), true);
    }
    await this.readTenant();
  };

  /** @param {string} path @param {unknown} [body] @param {import('./api.js').Method} [method] */
  ofTenant = (path, body, method) =>
    call(`/tenants/${encodeURIComponent(this.steered)}${path}`, body, method);

  readTenant = async () => {
    try {
      const state = await call(`/console/api/tenants/${encodeURIComponent(this.steered)}`);
      const { tenants } = await call('/tenants');
      if (this.tab === 'events') this.events = await call('/console/api/events');
      this.set({ state, readAt: performance.now(), tenants });
    } catch (error) {
      if (error instanceof Refused && error.status === 401) this.set({ link: 'refused' });
    }
  };

  /** @param {{ tenant: string, n: number } | null} chosen */
  choose = (chosen) => {
    if (chosen === null) return this.set({ chosen: null, entry: null, entryError: '' });
    const isOther = this.chosen === null || nameOf(this.chosen) !== nameOf(chosen);
    this.#entryVersion = '';
    this.set({ chosen, ...(isOther ? { entry: null, entryError: '' } : {}) });
    void this.#readEntry();
  };

  /** Reads the bytes of the chosen request, again when they have changed. */
  async #readEntry() {
    const { chosen } = this;
    const row = chosen === null ? undefined : this.rows.find(chosen.tenant, chosen.n);
    const version = row === undefined ? '' : `${nameOf(row)} ${row.sends} ${row.ended} ${row.waiting_at}`;
    if (chosen === null || row === undefined || version === this.#entryVersion) return;
    this.#entryVersion = version;
    try {
      const entry = await call(`/console/api/tenants/${encodeURIComponent(row.tenant)}/requests/${row.n}`);
      const plain = await decodedBody(entry.reply);
      if (this.chosen === chosen) this.set({ entry: { ...entry, plain }, entryError: '' });
    } catch (error) {
      if (this.chosen === chosen)
        this.set({ entryError: error instanceof Error ? error.message : String(error) });
    }
  }

  /** @param {import('./api.js').FeedEvent} event */
  take = ({ event, data }) => {
    this.link = 'live';
    if (event === 'cleared') {
      this.rows.clear(/** @type {string[]} */ (data));
      const { chosen } = this;
      if (chosen !== null && this.rows.find(chosen.tenant, chosen.n) === undefined) this.choose(null);
    }
    if (event === 'rows') {
      this.rows.put(/** @type {any} */ (data));
      void this.#readEntry();
    }
    this.draw();
  };
}

/** @param {App} app */
async function follow(app) {
  for (;;) {
    try {
      await readFeed(app.take);
      app.set({ link: 'lost' });
    } catch (error) {
      const isRefused = error instanceof Refused && error.status === 401;
      app.set({ link: isRefused ? 'refused' : 'lost' });
      if (isRefused) return;
    }
    await new Promise((go) => setTimeout(go, retryMs));
  }
}

const app = new App();
app.draw();
void follow(app);
try {
  app.set({
    faults: (await call('/faults')).faults,
    variants: (await call('/variants')).variants,
    providerUrl: (await call('/health')).provider_url,
    scenarios: (await call('/console/api/scenarios')).scenarios,
  });
} catch (error) {
  app.say(error instanceof Error ? error.message : String(error), true);
}
await app.readTenant();
setInterval(() => {
  if (document.visibilityState === 'visible' && app.link === 'live') void app.readTenant();
}, readEveryMs);
addEventListener('resize', app.draw);
