import { Resolver } from 'node:dns/promises';
import { Unresolved } from './outbound.ts';

/** All addresses of a name, at least one; rejects with an `Unresolved` when there is none. */
export type Resolve = (name: string) => Promise<readonly string[]>;

/** A nameserver that says nothing is asked twice, the second time for longer. */
const timeoutMs = 1_000;
const tries = 2;
/** What nameservers answer that work. */
const definiteFailures = ['ENOTFOUND', 'ENODATA'];

/**
 * Asks the nameservers of this machine, or these. Not through the machine's own resolver: that one keeps a thread for each
 * question, of the few that files are read by too, and a name whose server never answers would hold up everything else.
 */
export function systemResolve(servers?: readonly string[]): Resolve {
  let resolver = resolverOf(servers);
  return async (name) => {
    const asked = plainName(name);
    // No nameserver is to be asked for these.
    if (asked === 'localhost' || asked.endsWith('.localhost')) return ['127.0.0.1', '::1'];
    const answers = await Promise.allSettled([resolver.resolve4(asked), resolver.resolve6(asked)]);
    const addresses = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
    // The machine may have other nameservers by now.
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
 * Knows only these names: for each the addresses of the first time that it is looked up, of the second, …; the last ones
 * hold from then on.
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
