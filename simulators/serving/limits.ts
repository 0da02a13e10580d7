import {
  type DialectName,
  isChatDialect,
  type NativeAnswer,
  nativeAnswer,
  type RenderedAnswer,
} from '../answers/native-answer.ts';
import { chatWindowHeaders, messagesWindowHeaders } from '../answers/rate-windows.ts';
import { withHeaders } from '../answers/whole-answer.ts';
import type { ScriptedFault, ScriptedLimits } from '../control/protocol.ts';
import { openAnswer } from '../faults/native/open-answer.ts';
import { finalUsage } from '../faults/native/usage-places.ts';
import { countedIn } from '../faults/native/usage-sums.ts';
import { keyFingerprint } from '../requests/key-fingerprint.ts';
import { keysOf, type RequestFacts } from '../requests/request-facts.ts';
import type { Exhausted, LimitCounter } from '../state/rate-limits.ts';
import type { Tenant } from '../state/tenant.ts';

/** The counters of the key of a request, on its channel. */
export function counterOf(
  tenant: Tenant,
  limits: ScriptedLimits,
  request: RequestFacts,
  nowMs: number,
): LimitCounter {
  const keys = keysOf(request).map(keyFingerprint);
  return tenant.rateLimits.counterOf(limits, [request.channel, ...keys], nowMs);
}

/** The fault that a provider sends beyond a limit; null for providers without one. */
export function refusalFault(dialect: DialectName, { what, retryMs }: Exhausted): ScriptedFault | null {
  if (dialect === 'generate-content') return { id: 'H10', wait_ms: retryMs };
  if (dialect === 'responses' || isChatDialect(dialect))
    return { id: what === 'requests' ? 'H1' : 'H2', wait_ms: retryMs };
  return null;
}

/** The tokens of a chat answer, as its usage counts them. */
export function tokensOf(answer: RenderedAnswer): number {
  const { dialect } = answer;
  if (!isChatDialect(dialect)) return 0;
  const usage = finalUsage(openAnswer(nativeAnswer(answer)), dialect);
  if (usage === undefined) return 0;
  const { prompt, completion } = countedIn(usage, dialect);
  return prompt + completion;
}

/** The answer with the remaining limits, if its dialect reports them. */
export function withWindows<A extends RenderedAnswer | NativeAnswer>(
  answer: A,
  counter: LimitCounter,
  nowMs: number,
): A {
  const windows = counter.windows(nowMs);
  const { tokens } = windows;
  switch (answer.dialect) {
    case 'chat-completions':
    case 'responses':
      return { ...answer, headers: withHeaders(answer.headers, chatWindowHeaders(windows)) };
    case 'messages': {
      const all = tokens === undefined ? windows : { ...windows, 'input-tokens': tokens };
      return { ...answer, headers: withHeaders(answer.headers, messagesWindowHeaders(all, nowMs)) };
    }
    default:
      return answer;
  }
}
