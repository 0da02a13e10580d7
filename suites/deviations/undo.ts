import { UsageError } from '../process/exit-codes.ts';
import type { Profile } from '../profile/profile.ts';
import { combineMutations } from '../rewrite/combine-mutations.ts';
import type { Mutation } from '../rewrite/mutation.ts';
import { type Proxy as Adapter, startProxy } from '../rewrite/proxy.ts';
import { dispatcherFor } from '../wire/deployment-connection.ts';
import type { Deviation, Given } from './deviation.ts';
import { deviations } from './deviations.ts';

/** A deployment without the deviations that its profile declares. */
export interface Undone {
  readonly declared: readonly Deviation[];
  /** The deployment as all checks see it but those that tell a deviation: the declared profile where it has none. */
  readonly profile: Profile;
  /** For each check that tells deviations, the deployment with all others undone. */
  readonly ways: readonly { readonly check: string; readonly url: string }[];
  /** What was seen through the adapters, with the address of the deployment. */
  named<T>(seen: T): T;
  close(): Promise<void>;
}

interface Declared {
  readonly deviation: Deviation;
  readonly mutation: Mutation;
}

/**
 * Starts what undoes the declared deviations on the wire.
 * @throws UsageError when a name is unknown, is there twice, or is followed by what it cannot mean
 */
export async function undoDeviations(profile: Profile): Promise<Undone> {
  const declared = profile.deviations.flatMap((one) => declaredIn(one));
  const ids = declared.map(({ deviation }) => deviation.id);
  const twice = ids.find((id, index) => ids.indexOf(id) !== index);
  if (twice !== undefined) throw new UsageError(`deviations: ${twice} is there twice`);
  if (declared.length === 0) return nothingDeclared(profile);
  const main = await startAdapter(profile, declared);
  const tellers = [...new Set(declared.flatMap(({ deviation }) => deviation.checks))];
  const ways = await Promise.all(
    tellers.map(async (check) => {
      const others = declared.filter(({ deviation }) => !deviation.checks.includes(check));
      return { check, ...(await startAdapter(profile, others)) };
    }),
  );
  const adapters = [main, ...ways];
  return {
    declared: declared.map(({ deviation }) => deviation),
    profile: { ...profile, base_url: main.url, behind: profile.base_url },
    ways,
    named: <T>(seen: T): T => {
      const base = profile.base_url.replace(/\/+$/, '');
      const text = adapters.reduce((said, { url }) => said.replaceAll(url, base), JSON.stringify(seen));
      return JSON.parse(text) as T;
    },
    close: async () => void (await Promise.all(adapters.map(({ close }) => close()))),
  };
}

/** What the report says of them; null where there is nothing to say. */
export function declaredInWords({ declared }: Pick<Undone, 'declared'>): string | null {
  if (declared.length === 0) return null;
  const each = declared.map(
    ({ id, title, requirement, checks }) => `${id}: ${title} (${requirement}, told by ${checks.join(', ')})`,
  );
  return `Deviations that the profile declares are undone on the wire for all other checks, whose requests and answers are shown as they see them: ${each.join('; ')}.`;
}

function nothingDeclared(profile: Profile): Undone {
  return { declared: [], profile, ways: [], named: (seen) => seen, close: () => Promise.resolve() };
}

function startAdapter(profile: Profile, declared: readonly Declared[]): Promise<Adapter> {
  const { origin, pathname } = new URL(profile.base_url);
  const before = pathname.replace(/\/+$/, '');
  const onWay = <T extends { readonly path: string }>(request: T): T => ({
    ...request,
    path: before + request.path,
  });
  const mutation = allOf(declared);
  return startProxy((path) => ({ origin, path, mutation, onWay }), {
    connect: (options) => dispatcherFor(profile, options),
  });
}

/** A name, or names each followed by what is to be said. */
function declaredIn(one: Profile['deviations'][number]): Declared[] {
  const named: [string, Given | undefined][] =
    typeof one === 'string' ? [[one, undefined]] : Object.entries(one);
  return named.map(([id, given]) => {
    const deviation = deviations.find((known) => known.id === id);
    if (deviation === undefined)
      throw new UsageError(
        `deviations: there is no ${id}; there are ${deviations.map((known) => known.id).join(', ')}`,
      );
    const mutation = deviation.undo(given);
    if (mutation === null)
      throw new UsageError(`deviations: ${id} takes ${deviation.takes ?? 'nothing after its name'}`);
    return { deviation, mutation };
  });
}

function allOf(declared: readonly Declared[]): Mutation {
  return combineMutations(declared.map(({ mutation }) => mutation));
}
