import { UsageError } from '../exit-codes.ts';
import type { Mutation } from '../mutation/mutation.ts';
import type { Profile } from '../profile/profile.ts';
import { combineVariants } from '../proof/combine-variants.ts';
import { type Proxy as Adapter, startProxy } from '../proof/proxy.ts';
import type { Deviation } from './deviation.ts';
import { deviations } from './deviations.ts';

/** A deployment without the deviations that its profile declares. */
export interface Undone {
  readonly declared: readonly Deviation[];
  /** One for each deviation, with all others undone, and one with all undone: their names and addresses. */
  readonly ways: readonly { readonly id: string; readonly url: string }[];
  /** Which of them a check takes. */
  wayOf(check: string): string;
  /** What was seen through them, with the address of the deployment. */
  named<T>(seen: T): T;
  close(): Promise<void>;
}

const allUndone = 'all-undone';

/**
 * Starts what undoes the declared deviations on the wire; null where none is declared.
 * @throws UsageError when a name is unknown, or the way to the deployment is none that can be led through an adapter
 */
export async function undoDeviations(profile: Profile): Promise<Undone | null> {
  const declared = [...new Set(profile.deviations)].map(deviationOf);
  if (declared.length === 0) return null;
  const { tls, http } = profile;
  if (tls.ca !== undefined || tls.cert !== undefined || http.proxy !== undefined)
    throw new UsageError('deviations cannot be undone on the way through tls.ca, tls.cert or http.proxy');
  const base = profile.base_url.replace(/\/+$/, '');
  const adapters = await Promise.all(
    [...declared.map(({ id }) => id), allUndone].map(async (id) => {
      const others = declared.filter((one) => one.id !== id);
      return { id, ...(await startAdapter(base, allOf(others))) };
    }),
  );
  return {
    declared,
    ways: adapters,
    wayOf: (check) => declared.find(({ checks }) => checks.includes(check))?.id ?? allUndone,
    named: <T>(seen: T): T => {
      const text = adapters.reduce((said, { url }) => said.replaceAll(url, base), JSON.stringify(seen));
      return JSON.parse(text) as T;
    },
    close: async () => void (await Promise.all(adapters.map(({ close }) => close()))),
  };
}

/** What the report says of them. */
export function declaredInWords({ declared }: Undone): string {
  const each = declared.map(
    ({ id, title, requirement, checks }) => `${id}: ${title} (${requirement}, told by ${checks.join(', ')})`,
  );
  return `Deviations that the profile declares are undone on the wire for all other checks: ${each.join('; ')}.`;
}

function startAdapter(base: string, mutation: Mutation): Promise<Adapter> {
  const { origin, pathname } = new URL(base);
  const before = pathname === '/' ? '' : pathname;
  return startProxy((path) => ({ origin, path: before + path, mutation }));
}

function deviationOf(id: string): Deviation {
  const found = deviations.find((one) => one.id === id);
  if (found !== undefined) return found;
  throw new UsageError(
    `deviations: there is no ${id}; there are ${deviations.map((one) => one.id).join(', ')}`,
  );
}

function allOf(declared: readonly Deviation[]): Mutation {
  const parts = declared.map(({ id, title, undo }) => ({ id, title, mutation: undo }));
  return parts.length === 0 ? {} : combineVariants('undone', parts).mutation;
}
