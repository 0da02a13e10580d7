import type { Transaction } from 'kysely';
import { GatewayError, invalidParam } from '../errors/gateway-error.ts';
import type { Database } from '../store/database.ts';

/** What a change of accounts, keys or prices uses within its transaction. An error rolls everything back. */
export interface Change {
  readonly trx: Transaction<Database>;
  readonly isModel: (id: string) => boolean;
  /** A new random id of at least 128 bits with the prefix. */
  readonly newId: (prefix: string) => string;
  readonly hashKey: (secret: string) => string;
}

/** The row found by its id; throws the error for an unknown id if there is none. */
export function found<Row>(row: Row | undefined, what: string): Row {
  if (row === undefined) throw new GatewayError('not_found', { message: `There is no such ${what}.` });
  return row;
}

/** The row inserted under a chosen id; throws the error for a taken id if there is none. */
export function inserted<Row>(row: Row | undefined): Row {
  if (row === undefined) throw invalidParam('id', 'id is taken already; ids are unique over all accounts.');
  return row;
}

/** Rejects names of unknown models; `paramOf` gives the path of a name in the request. */
export function requireModels(
  names: readonly string[],
  isModel: (id: string) => boolean,
  paramOf: (name: string, at: number) => string,
): void {
  for (const [at, name] of names.entries()) {
    if (isModel(name)) continue;
    const param = paramOf(name, at).slice(0, maxParamLength);
    throw invalidParam(param, `${param} must be a model of this gateway.`);
  }
}

/** Names come from the request; longer ones are cut in the answer. */
const maxParamLength = 200;
