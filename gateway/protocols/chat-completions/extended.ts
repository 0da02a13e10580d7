import { invalidParam } from '../../errors/gateway-error.ts';
import { isObject, type JsonObject } from '../../http/parse-json.ts';
import type { Usage } from '../../upstreams/outcome.ts';
import type { ProtocolAdapter } from '../protocol-adapter.ts';
import { chatCompletionsAdapter, chatCompletionsWith, usageShape } from './adapter.ts';

/** What requests may have beside the specification, by the name that switches it on: each says it in our words. */
const extensions: Readonly<Record<string, (body: JsonObject) => JsonObject>> = {
  developer_role: developerRole,
  max_completion_tokens: maxCompletionTokens,
};

/** The common protocol with what is switched on beside the specification; the plain one where nothing is. */
export function extended(switchedOn: readonly string[]): ProtocolAdapter {
  const adapter = switchedOn.includes('reasoning_tokens')
    ? chatCompletionsWith(usageWithReasoning)
    : chatCompletionsAdapter;
  const chosen = Object.keys(extensions).filter((name) => switchedOn.includes(name));
  if (chosen.length === 0) return adapter;
  const inOurWords = (body: JsonObject): JsonObject =>
    chosen.reduce((said, name) => extensions[name]?.(said) ?? said, body);
  return {
    ...adapter,
    parse: (body, model, exchange) => {
      const value = inOurWords(body.value);
      // One tree stays one tree, unless some numbers need their digits.
      const exact = body.exact === body.value ? value : inOurWords(body.exact);
      return adapter.parse({ ...body, value, exact }, model, exchange);
    },
  };
}

/** Instructions that newer clients send under the role `developer` are those of the system. */
function developerRole(body: JsonObject): JsonObject {
  const { messages } = body;
  if (!Array.isArray(messages)) return body;
  return { ...body, messages: messages.map(asSystem) };
}

function asSystem(message: unknown): unknown {
  return isObject(message) && message.role === 'developer' ? { ...message, role: 'system' } : message;
}

/**
 * The newer name of `max_tokens`.
 * @throws GatewayError where both are given: nobody could tell which one counts
 */
function maxCompletionTokens(body: JsonObject): JsonObject {
  const { max_completion_tokens: most, ...rest } = body;
  if (most === undefined || most === null) return rest;
  if (rest.max_tokens !== undefined && rest.max_tokens !== null)
    throw invalidParam('max_completion_tokens', 'max_completion_tokens cannot be given beside max_tokens.');
  return { ...rest, max_tokens: most };
}

/** `usage` with the tokens of thinking apart, which the completion tokens include. */
function usageWithReasoning(usage: Usage | null): object {
  const details = { reasoning_tokens: usage?.reasoningTokens ?? 0 };
  return { ...usageShape(usage), completion_tokens_details: details };
}
