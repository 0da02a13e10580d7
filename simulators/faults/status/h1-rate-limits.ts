import {
  chatWindowHeaders,
  durationText,
  messagesWindowHeaders,
  type RateWindows,
} from '../../answers/rate-windows.ts';
import type { Fault, FaultContext } from '../../fault-contract/fault.ts';
import { chatRefusal, messagesRefusal, ofForm, refusing } from '../native/refusal.ts';

/** The time until the window resets, ms: as scripted, or that of the form. */
function resetOf(context: FaultContext): number {
  return context.waitMs ?? ofForm(context, resets);
}

const resets: Readonly<Record<string, number>> = {
  'reset-seconds': 20_000,
  'reset-minutes': 360_000,
  'reset-milliseconds': 20,
};

/** The unit of the exhausted window. The account's other windows have capacity left. */
type Counted = 'requests' | 'tokens';

export const rateLimitRequests: Fault = rateLimit('H1', 'requests');

export const rateLimitTokens: Fault = rateLimit('H2', 'tokens');

/** This error used to be a 503. Clients still recognise both statuses. */
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
      const resetMs = resetOf(context);
      const windows = chatWindowHeaders(windowsOf({ requests: 10_000, tokens: 30_000_000 }, what, resetMs));
      return chatRefusal({
        status: 429,
        message: `Rate limit reached for ${what} per minute. Try again in ${durationText(resetMs)}.`,
        type: what,
        param: null,
        code: 'rate_limit_exceeded',
        headers: { ...retryAfter(resetMs), 'retry-after-ms': String(resetMs), ...windows },
      });
    },
    messages: (context) => {
      const resetMs = resetOf(context);
      const message = `The request would exceed the limit of the organization on ${what} per minute`;
      const limits = { requests: 4000, 'input-tokens': 2_000_000, 'output-tokens': 400_000 };
      const spent = what === 'tokens' ? 'input-tokens' : what;
      const windows = messagesWindowHeaders(windowsOf(limits, spent, resetMs), context.nowMs);
      const headers = { ...retryAfter(resetMs), ...windows };
      return messagesRefusal({ status: 429, type: 'rate_limit_error', message, headers }, context);
    },
  });
}

/** Whole seconds, rounded up: a short wait is reported longer than it is. */
function retryAfter(ms: number): Record<string, string> {
  return { 'retry-after': String(Math.ceil(ms / 1000)) };
}

function windowsOf(limits: Readonly<Record<string, number>>, spent: string, resetMs: number): RateWindows {
  return Object.fromEntries(
    Object.entries(limits).map(([what, limit]) => [
      what,
      what === spent ? { limit, remaining: 0, resetMs } : { limit, remaining: limit - 1, resetMs: 1000 },
    ]),
  );
}
