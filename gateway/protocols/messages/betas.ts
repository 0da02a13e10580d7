import { invalidParam } from '../../errors/gateway-error.ts';
import type { Exchange } from '../../http/exchange.ts';

/** What its official clients say in it: the parts of the protocol on trial that a request makes use of. */
const betaHeader = 'anthropic-beta';

const namePattern = /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/;
const maxNames = 32;

/**
 * The names of betas in a request, for the header of the same name upstream; nothing for none. The upstream judges them;
 * here they only have to be names.
 */
export function betaHeaders({ incoming }: Exchange): Readonly<Record<string, string>> | undefined {
  const given = [incoming.headers[betaHeader] ?? []].flat().join();
  const names = given.split(',').flatMap((name) => (name.trim() === '' ? [] : [name.trim()]));
  if (names.length === 0) return undefined;
  if (names.length > maxNames || !names.every((name) => namePattern.test(name)))
    throw invalidParam(betaHeader, `The header ${betaHeader} must be up to ${maxNames} names with commas.`);
  return { [betaHeader]: names.join() };
}
