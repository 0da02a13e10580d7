import type { JsonObject } from '../../../http/parse-json.ts';
import type { ProtocolAdapter } from '../../protocol-adapter.ts';
import { chatCompletionsAdapter, chatCompletionsWith } from '../adapter.ts';
import { developerRole } from './developer-role.ts';
import { maxCompletionTokens } from './max-completion-tokens.ts';
import { usageWithReasoning } from './reasoning-tokens.ts';

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
