import type { SeenFinding, Translation } from '../profile/translation.ts';
import { objectIn } from '../rewrite/json.ts';
import { isJsonObject } from '../values/json.ts';

/** A capability that all models of the catalogue have. */
export type Common = 'tools' | 'stream';

/**
 * The translation for a deployment none of whose models has these capabilities. A finding about a request that uses one says
 * nothing, unless the rule is that it must be refused (CAT-015).
 */
export function withLacking(translation: Translation, lacking: readonly Common[]): Translation {
  if (lacking.length === 0) return translation;
  return {
    ...translation,
    hides: (seen) => {
      const used = seen.expected.includes('unsupported_capability') ? undefined : lacking.find(usedIn(seen));
      return used === undefined
        ? (translation.hides?.(seen) ?? null)
        : `dialect.models: no model has the capability ${used}`;
    },
  };
}

function usedIn({ request }: SeenFinding): (capability: Common) => boolean {
  const body = objectIn(request.body) ?? {};
  return (capability) =>
    capability === 'stream'
      ? body.stream === true || request.path.includes(':streamGenerateContent')
      : 'tools' in body || 'tool_choice' in body || hasToolTurn(body.messages);
}

function hasToolTurn(messages: unknown): boolean {
  if (!Array.isArray(messages)) return false;
  return messages.some(
    (turn) => isJsonObject(turn) && (turn.role === 'tool' || turn.tool_calls !== undefined),
  );
}
