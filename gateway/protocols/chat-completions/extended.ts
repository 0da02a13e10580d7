import { invalidParam } from '../../errors/gateway-error.ts';
import { isObject, type JsonObject } from '../../http/parse-json.ts';
import type { Usage } from '../../upstreams/outcome.ts';
import type { ProtocolAdapter } from '../protocol-adapter.ts';
import { chatCompletionsAdapter, chatCompletionsWith, usageShape } from './adapter.ts';

/** Extensions of requests by name. Each rewrites a body to the specification's form. */
const extensions: Readonly<Record<string, (body: JsonObject) => JsonObject>> = {
  developer_role: developerRole,
  max_completion_tokens: maxCompletionTokens,
};

/** The common protocol with the extensions that are switched on. */
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
      // Keep one shared tree, unless some numbers need their digits.
      const exact = body.exact === body.value ? value : inOurWords(body.exact);
      return adapter.parse({ ...body, value, exact }, model, exchange);
    },
  };
}

/** Newer clients send system instructions under the role `developer`. */
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
 * @throws GatewayError if both are given, because it is unclear which one counts
 */
function maxCompletionTokens(body: JsonObject): JsonObject {
  const { max_completion_tokens: most, ...rest } = body;
  if (most === undefined || most === null) return rest;
  if (rest.max_tokens !== undefined && rest.max_tokens !== null)
    throw invalidParam('max_completion_tokens', 'max_completion_tokens cannot be given beside max_tokens.');
  return { ...rest, max_tokens: most };
}

/** `usage` that also shows the reasoning tokens, which are part of the completion tokens. */
function usageWithReasoning(usage: Usage | null): object {
  const details = { reasoning_tokens: usage?.reasoningTokens ?? 0 };
  return { ...usageShape(usage), completion_tokens_details: details };
}
