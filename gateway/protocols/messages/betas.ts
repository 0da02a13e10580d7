import { invalidParam } from '../../errors/gateway-error.ts';
import type { Exchange } from '../../http/exchange.ts';

/** The header in which official clients name the beta features that a request uses. */
const betaHeader = 'anthropic-beta';

const namePattern = /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/;
const maxNames = 32;

/**
 * The beta names of a request, to send upstream in the same header; undefined when there are none. The gateway
 * checks only their form; the upstream judges them.
 */
export function betaHeaders({ incoming }: Exchange): Readonly<Record<string, string>> | undefined {
  const given = [incoming.headers[betaHeader] ?? []].flat().join();
  const names = given.split(',').flatMap((name) => (name.trim() === '' ? [] : [name.trim()]));
  if (names.length === 0) return undefined;
  if (names.length > maxNames || !names.every((name) => namePattern.test(name)))
    throw invalidParam(betaHeader, `The header ${betaHeader} must be up to ${maxNames} names with commas.`);
  return { [betaHeader]: names.join() };
}
