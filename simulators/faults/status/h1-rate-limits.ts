import type { Fault, FaultContext } from '../../fault-contract/fault.ts';
import { chatRefusal, messagesRefusal, ofForm, refusing } from '../native/refusal.ts';

/** The time until the window resets, and its chat-completions notation. */
interface Reset {
  readonly ms: number;
  readonly text: string;
}

/** The scripted wait, or that of the form. */
function resetOf(context: FaultContext): Reset {
  const { waitMs } = context;
  return waitMs === null ? ofForm(context, resets) : { ms: waitMs, text: `${waitMs / 1000}s` };
}

const resets: Readonly<Record<string, Reset>> = {
  'reset-seconds': { ms: 20_000, text: '20s' },
  'reset-minutes': { ms: 360_000, text: '6m0s' },
  'reset-milliseconds': { ms: 20, text: '20ms' },
};

/** What the exhausted window counts; the account's other windows have capacity left. */
type Counted = 'requests' | 'tokens';

export const rateLimitRequests: Fault = rateLimit('H1', 'requests');

export const rateLimitTokens: Fault = rateLimit('H2', 'tokens');

/** Formerly a 503: clients still recognise it by either status. */
export const slowDown: Fault = refusing('H3', {
  'chat-completions': (context) =>
    chatRefusal({
      status: Number(context.form),
      message: 'Requests came in faster than before. Slow down, then speed up step by step.',
      type: 'rate_limit_error',
      param: null,
      code: 'slow_down',
    }),
});

function rateLimit(id: string, what: Counted): Fault {
  return refusing(id, {
    'chat-completions': (context) => {
      const reset = resetOf(context);
      return chatRefusal({
        status: 429,
        message: `Rate limit reached for ${what} per minute. Try again in ${reset.text}.`,
        type: what,
        param: null,
        code: 'rate_limit_exceeded',
        headers: { ...retryAfter(reset), 'retry-after-ms': String(reset.ms), ...chatWindows(what, reset) },
      });
    },
    messages: (context) => {
      const reset = resetOf(context);
      const message = `The request would exceed the limit of the organization on ${what} per minute`;
      const headers = { ...retryAfter(reset), ...messagesWindows(what, reset, context) };
      return messagesRefusal({ status: 429, type: 'rate_limit_error', message, headers }, context);
    },
  });
}

/** Whole seconds, rounded up: a short wait is reported longer than it is. */
function retryAfter({ ms }: Reset): Record<string, string> {
  return { 'retry-after': String(Math.ceil(ms / 1000)) };
}

function chatWindows(spent: Counted, reset: Reset): Record<string, string> {
  const limits = { requests: 10_000, tokens: 30_000_000 };
  return Object.fromEntries(
    (['requests', 'tokens'] as const).flatMap((what) => [
      [`x-ratelimit-limit-${what}`, String(limits[what])],
      [`x-ratelimit-remaining-${what}`, what === spent ? '0' : String(limits[what] - 1)],
      [`x-ratelimit-reset-${what}`, what === spent ? reset.text : '1s'],
    ]),
  );
}

/** This dialect reports resets as RFC 3339 times. */
function messagesWindows(spent: Counted, reset: Reset, { nowMs }: FaultContext): Record<string, string> {
  const limits = { requests: 4000, 'input-tokens': 2_000_000, 'output-tokens': 400_000 };
  const isSpent = (what: string): boolean => what === (spent === 'tokens' ? 'input-tokens' : 'requests');
  return Object.fromEntries(
    Object.entries(limits).flatMap(([what, limit]) => [
      [`anthropic-ratelimit-${what}-limit`, String(limit)],
      [`anthropic-ratelimit-${what}-remaining`, isSpent(what) ? '0' : String(limit - 1)],
      [`anthropic-ratelimit-${what}-reset`, rfc3339(nowMs + (isSpent(what) ? reset.ms : 1000))],
    ]),
  );
}

function rfc3339(atMs: number): string {
  return new Date(Math.ceil(atMs / 1000) * 1000).toISOString().replace('.000Z', 'Z');
}
