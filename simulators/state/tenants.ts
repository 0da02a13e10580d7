import type { Scenario } from '../control/scenario.ts';
import { keysIn } from '../scenarios/keys-in.ts';
import { JournalSpace } from './journal-space.ts';
import { Redaction } from './redaction.ts';
import { Tenant } from './tenant.ts';
import { TenantRules } from './tenant-rules.ts';

/** More tenants than any run uses; a client that invents names must not fill the process. */
const maxTenants = 4096;

/** What all tenants of a process share. */
export interface TenantsOptions {
  readonly seed?: number;
  /** The time of the simulators' clock, ms. */
  readonly now?: () => number;
  /** What every tenant goes through that has no scenario of its own. */
  readonly scenario?: Scenario | null;
}

/** All tenants of a process. A tenant exists as soon as somebody names it; one that was reset may give way to another. */
export class Tenants {
  readonly rules = new TenantRules();
  readonly #redaction = new Redaction();
  readonly #space = new JournalSpace();
  readonly #options: TenantsOptions;
  readonly #tenants = new Map<string, Tenant>();
  /** The highest number of a request in a tenant that was forgotten. */
  #lastForgotten = 0;

  constructor(options: TenantsOptions = {}) {
    this.#options = options;
    const { scenario = null } = options;
    if (scenario === null) return;
    this.hide(keysIn(scenario));
    for (const rule of scenario.scopes ?? []) this.rules.add(rule);
  }

  /** Never shows these keys again, in no journal; false when there are too many. */
  hide(keys: readonly string[]): boolean {
    return keys.every((key) => this.#redaction.add(key));
  }

  /** The value as it may be shown: without the keys, wherever in its texts and names they stand. */
  redacted<T>(value: T): T {
    return this.#redaction.value(value);
  }

  /** The tenant of that name, or null when there is no room for another one. */
  find(name: string): Tenant | null {
    const known = this.#tenants.get(name);
    if (known !== undefined) return known;
    if (this.#tenants.size >= maxTenants && !this.#forgetOne()) return null;
    const tenant = new Tenant(name, { ...this.#options, redaction: this.#redaction, space: this.#space });
    tenant.journal.countFrom(this.#lastForgotten);
    this.#tenants.set(name, tenant);
    return tenant;
  }

  /** Forgets a tenant that is as good as new, for room. Numbers of requests go on, in whichever tenant. */
  #forgetOne(): boolean {
    for (const [name, tenant] of this.#tenants) {
      if (!tenant.isFresh) continue;
      this.#tenants.delete(name);
      this.#space.remove(tenant.journal);
      this.#lastForgotten = Math.max(this.#lastForgotten, tenant.journal.lastN);
      return true;
    }
    return false;
  }
}
