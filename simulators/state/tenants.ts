import type { Scenario } from '../control/scenario.ts';
import { keysIn } from '../scenarios/keys-in.ts';
import { JournalFeed } from './journal-feed.ts';
import { JournalSpace } from './journal-space.ts';
import { Redaction } from './redaction.ts';
import type { FileScripts } from './scripts.ts';
import { Tenant, type TenantSettings } from './tenant.ts';
import { TenantRules } from './tenant-rules.ts';

/** More tenants than any run uses. A client that invents names must not fill the process. */
const maxTenants = 4096;

/** Settings that all tenants of a process share. */
export interface TenantsOptions {
  readonly seed?: number;
  /** The time of the simulators' clock, ms. */
  readonly now?: () => number;
  /** The default scenario of a tenant. */
  readonly scenario?: Scenario | null;
  /** The scripts of files, which every tenant has. */
  readonly files?: FileScripts;
  /** The initial settings of every tenant. */
  readonly settings?: Partial<TenantSettings>;
}

/** All tenants of a process. Naming a tenant creates it. A tenant that was reset may be dropped for a new one. */
export class Tenants {
  readonly rules = new TenantRules();
  /** Receives every change of every journal. */
  readonly feed = new JournalFeed();
  readonly #redaction = new Redaction();
  readonly #space = new JournalSpace();
  readonly #options: TenantsOptions;
  readonly #tenants = new Map<string, Tenant>();
  /** The highest request number in any dropped tenant. */
  #lastForgotten = 0;

  constructor(options: TenantsOptions = {}) {
    this.#options = options;
    const { scenario = null } = options;
    if (scenario === null) return;
    this.hide(keysIn(scenario));
    for (const rule of scenario.rules ?? []) this.rules.add(rule);
  }

  /** Redacts these keys in every journal from now on; false when there are too many. */
  hide(keys: readonly string[]): boolean {
    return keys.every((key) => this.#redaction.add(key));
  }

  /** A copy of the value that is safe to show, without the keys in any of its texts and names. */
  redacted<T>(value: T): T {
    return this.#redaction.value(value);
  }

  /** The tenant of that name, or null when the limit of tenants is reached. */
  find(name: string): Tenant | null {
    const known = this.#tenants.get(name);
    if (known !== undefined) return known;
    if (this.#tenants.size >= maxTenants && !this.#forgetOne()) return null;
    const shared = { redaction: this.#redaction, space: this.#space, feed: this.feed };
    const tenant = new Tenant(name, { ...this.#options, ...shared });
    tenant.journal.countFrom(this.#lastForgotten);
    this.#tenants.set(name, tenant);
    return tenant;
  }

  /** All known tenants. */
  all(): readonly Tenant[] {
    return [...this.#tenants.values()];
  }

  /** Drops one fresh tenant to free its place. Request numbers continue and are never reused in any tenant. */
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
