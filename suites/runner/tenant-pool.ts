import type { Size } from 'gatecheck-reports/report';
import type { CheckFacts } from '../engine/check.ts';
import type { Profile, TenantProfile } from '../profile/profile.ts';
import { seatsOf } from './concurrency.ts';

/** The tenants that a check has to itself while it runs. */
export interface Lease {
  readonly tenants: readonly [TenantProfile, ...TenantProfile[]];
  /** False on a deployment without separate tenants, where others may use K1 too. */
  readonly own: boolean;
  release(): void;
}

/**
 * Enough tenants for any run. With fewer, a whole run stops each time that all of them are degraded, because a recovery waits
 * for the longest running check.
 */
export const mostTenants = 192;

/**
 * How many tenants a stack for these checks needs. Each check has its own, with as many spare tenants for those that a check
 * has left degraded. Each tenant costs time at the start.
 */
export function tenantsFor(checks: readonly Pick<CheckFacts, 'tenants'>[], size: Size): number {
  const used = checks.reduce((sum, check) => sum + tenantsOf(check, size), 0);
  return Math.min(2 * Math.max(used, 1), mostTenants);
}

/** How many tenants a check uses at once. */
export function tenantsOf({ tenants }: Pick<CheckFacts, 'tenants'>, size: Size): number {
  return tenants?.[size === 'full' ? 'full' : 'quick'] ?? 1;
}

/** Reports which tenants of one gateway are degraded, and recovers them. */
export interface TenantHealth {
  isHealthy(tenant: string): boolean;
  /** Resolves when the free tenants are healthy. */
  recover(): Promise<void>;
}

const alwaysHealthy: TenantHealth = { isHealthy: () => true, recover: () => Promise.resolve() };

/**
 * The tenants of one stack. A deployment without tenants counts as one tenant with several seats. Checks that can share the
 * account take one seat each; any other check takes all seats.
 */
export class TenantPool {
  readonly size: number;
  readonly #free: TenantProfile[];
  readonly #own: boolean;
  /** Requests are served in order, so that a request for many tenants is not starved by requests for one. */
  #line: Promise<unknown> = Promise.resolve();
  #wake: () => void = () => undefined;

  constructor(profile: Profile) {
    this.#own = profile.tenants.length > 0;
    const seat = { name: 'default', keys: profile.keys, channels: {} };
    this.#free = this.#own ? [...profile.tenants] : Array.from({ length: seatsOf(profile) }, () => seat);
    this.size = this.#free.length;
  }

  /** Leases the only account of a deployment without tenants, shared with other checks or not. */
  async leaseSeat(shares: boolean, health: TenantHealth = alwaysHealthy): Promise<Lease> {
    const { tenants, ...lease } = await this.lease(shares ? 1 : this.size, health);
    return { ...lease, tenants: [tenants[0]] };
  }

  /** Leases this many tenants, or all that exist, once they are free and healthy. */
  async lease(count = 1, health: TenantHealth = alwaysHealthy): Promise<Lease> {
    const turn = this.#line.then(() => this.#take(Math.min(count, this.size), health));
    this.#line = turn.catch(() => undefined);
    const tenants = await turn;
    let released = false;
    const release = (): void => {
      if (released) return;
      released = true;
      this.#free.push(...tenants);
      this.#wake();
    };
    return { tenants: tenants as [TenantProfile, ...TenantProfile[]], own: this.#own, release };
  }

  async #take(count: number, health: TenantHealth): Promise<TenantProfile[]> {
    for (;;) {
      const healthy = this.#free.filter((tenant) => health.isHealthy(tenant.name)).slice(0, count);
      if (healthy.length === count) {
        for (const tenant of healthy) this.#free.splice(this.#free.indexOf(tenant), 1);
        return healthy;
      }
      if (this.#free.length >= count) await health.recover();
      else
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
    }
  }
}
