import { invalidParam } from '../../../errors/gateway-error.ts';
import type { JsonObject } from '../../../http/parse-json.ts';

/**
 * The newer name of `max_tokens`.
 * @throws GatewayError where both are given: nobody could tell which one counts
 */
export function maxCompletionTokens(body: JsonObject): JsonObject {
  const { max_completion_tokens: most, ...rest } = body;
  if (most === undefined || most === null) return rest;
  if (rest.max_tokens !== undefined && rest.max_tokens !== null)
    throw invalidParam('max_completion_tokens', 'max_completion_tokens cannot be given beside max_tokens.');
  return { ...rest, max_tokens: most };
}
