import type { FailureReason } from './outcome.ts';

/**
 * Causes that the text of a rejection names, in the words of all providers: those of one dialect use words of another, and
 * many have no codes. Texts are only matched, never passed on.
 */
const causes: readonly (readonly [words: RegExp, cause: FailureReason])[] = [
  // No route of an aggregator takes this request; another request may pass.
  [/no endpoints found (?:that support|matching)/i, 'refused'],
  // The model called a tool in a form that its server cannot read.
  [
    /(?:error parsing|failed to parse|failed to call) (?:a )?(?:tool|function)|tool call validation failed/i,
    'garbled',
  ],
  // The request names neither the key, nor the account, nor the model that the gateway uses.
  [
    /(?:incorrect|invalid|wrong|expired) api[ _-]?key|api[ _-]?key (?:is )?(?:not valid|not found|invalid|expired|disabled)/i,
    'credentials',
  ],
  [
    /\b(?:account|organi[sz]ation|subscription)\b.{0,20}(?:disabled|suspended|deactivated|restricted|not active|good standing)/i,
    'credentials',
  ],
  [
    /access to the model\b|on-demand throughput|\b(?:country|region|location)\b.{0,30}not supported/i,
    'credentials',
  ],
  [
    /\bmodel\b.{0,80}(?:not exist|not found|identifier is invalid)|(?:invalid|unknown) model\b/i,
    'credentials',
  ],
  [
    /insufficient (?:balance|credits?|funds)|not (?:have )?enough credits?|credit balance|余额不足/i,
    'exhausted',
  ],
  [/usage limits|credits? (?:are|is|have been) depleted|spend(?:ing)? (?:cap|limit)/i, 'exhausted'],
  [/context (?:length|window|limit|size)|maximum prompt length|max_new_tokens. must be/i, 'context'],
  [/(?:input|prompt|token length) (?:is )?too long|input length|reduce the length of the/i, 'context'],
  [/token count.{0,80}(?:exceeds|only supports)|maximum number of tokens/i, 'context'],
  [/exceed.{0,20} token limit|too many tokens|number of tokens exceed/i, 'context'],
  [/maximum model length|prompt exceeds max|超长/i, 'context'],
  [/content exists risk|high risk|inappropriate content|prohibited content|responsible ai/i, 'policy'],
  [
    /content (?:\w+ )?policy|sensitive (?:content|information|words?)|safety[ _](?:system|check|filter)/i,
    'policy',
  ],
  [
    /\bnew_sensitive\b|敏感|违规|content (?:moderation|checker)|moderation (?:system|check|filter)|\bnsfw\b/i,
    'policy',
  ],
  [/(?:violat|flagged|blocked)\w* .{0,60}(?:polic|guideline)/i, 'policy'],
];

/** Maximum length of an upstream's text that is searched. */
const maxText = 2000;

/** The cause that a rejection names; null if it names none. */
export function namedCause(text: unknown): FailureReason | null {
  if (typeof text !== 'string') return null;
  const start = text.slice(0, maxText);
  return causes.find(([words]) => words.test(start))?.[1] ?? null;
}

/** Reasons that concern the gateway's account at the upstream, whatever the request says. */
export function isOfAccount(reason: FailureReason | null): reason is 'credentials' | 'exhausted' {
  return reason === 'credentials' || reason === 'exhausted';
}
