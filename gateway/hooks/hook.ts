import { bearerToken } from '../access/credential.ts';
import { isSecret } from '../admin/guard.ts';
import { GatewayError } from '../errors/gateway-error.ts';
import type { Exchange } from '../http/exchange.ts';
import type { JsonObject } from '../http/parse-json.ts';
import { parseInTurns } from '../http/parse-json.ts';
import { readBody } from '../http/read-body.ts';
import type { Endpoint, PathIds } from '../http/route.ts';
import { sendUncachedJson } from '../http/send-json.ts';

/** The handler of a hook; returns the JSON of its answer. */
export type Hook = (exchange: Exchange, ids: PathIds) => Promise<object> | object;

/** The endpoint of a hook, for callers with the token of the hooks. */
export function hookEndpoint(token: string, hook: Hook, status = 200): Endpoint {
  return async (exchange, ids) => {
    if (!isSecret(bearerToken(exchange.incoming), token)) throw new GatewayError('invalid_api_key');
    await sendUncachedJson(exchange, await hook(exchange, ids), status);
  };
}

export async function hookBody(exchange: Exchange): Promise<JsonObject> {
  return (await parseInTurns(await readBody(exchange))).value;
}
