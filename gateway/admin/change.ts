import type { Transaction } from 'kysely';
import { GatewayError, invalidParam } from '../errors/gateway-error.ts';
import type { Database } from '../store/database.ts';

/** What a change of accounts, keys and prices works with, inside of its transaction: what it throws undoes all of it. */
export interface Change {
  readonly trx: Transaction<Database>;
  readonly isModel: (id: string) => boolean;
  /** A new random id of at least 128 bits with the prefix. */
  readonly newId: (prefix: string) => string;
  readonly hashKey: (secret: string) => string;
}

/** What was asked for by its id, or the refusal that there is no such thing. */
export function found<Row>(row: Row | undefined, what: string): Row {
  if (row === undefined) throw new GatewayError('not_found', { message: `There is no such ${what}.` });
  return row;
}

/** What was inserted under a chosen id, or the refusal that somebody else has it. */
export function inserted<Row>(row: Row | undefined): Row {
  if (row === undefined) throw invalidParam('id', 'id is taken already.');
  return row;
}

/** Refuses names that no model has; `paramOf` says where one stands in the request. */
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
