import { Resolver } from 'node:dns/promises';
import { Unresolved } from './outbound.ts';

/** All addresses of a name, at least one; rejects with an `Unresolved` when there is none. */
export type Resolve = (name: string) => Promise<readonly string[]>;

/** A silent nameserver is asked twice, the second time with a longer timeout. */
const timeoutMs = 1_000;
const tries = 2;
/** Error codes that a working nameserver returns. */
const definiteFailures = ['ENOTFOUND', 'ENODATA'];

/**
 * Asks the given nameservers, or those of this machine. It avoids the system resolver, which blocks one of the few
 * threads that file access also uses. There, a name whose server never answers would delay everything else.
 */
export function systemResolve(servers?: readonly string[]): Resolve {
  let resolver = resolverOf(servers);
  return async (name) => {
    const asked = plainName(name);
    // These names must not be sent to nameservers.
    if (asked === 'localhost' || asked.endsWith('.localhost')) return ['127.0.0.1', '::1'];
    const answers = await Promise.allSettled([resolver.resolve4(asked), resolver.resolve6(asked)]);
    const addresses = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
    // The machine's nameservers may have changed by now.
    if (addresses.length === 0 && !answers.some(saidNo)) resolver = resolverOf(servers);
    return someOf(addresses);
  };
}

function resolverOf(servers: readonly string[] | undefined): Resolver {
  const resolver = new Resolver({ timeout: timeoutMs, tries: tries });
  if (servers !== undefined) resolver.setServers(servers);
  return resolver;
}

function saidNo(answer: PromiseSettledResult<unknown>): boolean {
  if (answer.status === 'fulfilled') return false;
  const { reason }: { reason: unknown } = answer;
  return reason instanceof Error && 'code' in reason && definiteFailures.includes(String(reason.code));
}

/**
 * Resolves only these names. For each, the first lookup returns the first list of addresses, the second the next, and so on.
 * The last list repeats.
 */
export function scriptedResolve(script: Readonly<Record<string, readonly (readonly string[])[]>>): Resolve {
  const answers = new Map(
    Object.entries(script).map(([name, turns]) => [plainName(name), { turns, asked: 0 }]),
  );
  return async (name) => {
    const known = answers.get(plainName(name));
    if (known === undefined) throw new Unresolved();
    const turn = Math.min(known.asked, known.turns.length - 1);
    known.asked += 1;
    return someOf(known.turns[turn] ?? []);
  };
}

function plainName(name: string): string {
  return name.toLowerCase().replace(/\.$/, '');
}

function someOf(addresses: readonly string[]): readonly string[] {
  if (addresses.length === 0) throw new Unresolved();
  return addresses;
}
