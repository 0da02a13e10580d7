import type { Fault, FaultContext } from '../../fault-contract/fault.ts';
import { chatRefusal, generateRefusal, messagesRefusal, ofForm, refusing } from '../native/refusal.ts';

type Headers = Readonly<Record<string, string>>;

/** The wait of the forms that state one, ms. */
const usualMs = 17_000;

const forms: Readonly<Record<string, (nowMs: number, waitMs: number | null) => Headers>> = {
  seconds: (_, waitMs) => ({ 'retry-after': String(Math.ceil((waitMs ?? usualMs) / 1000)) }),
  // Both times come from the same clock, which may differ from the reader's.
  date: (nowMs, waitMs) => ({
    date: new Date(nowMs).toUTCString(),
    'retry-after': new Date(nowMs + (waitMs ?? usualMs)).toUTCString(),
  }),
  milliseconds: (_, waitMs) => ({ 'retry-after-ms': String(waitMs ?? 900) }),
  list: () => ({ 'retry-after': '60,120' }),
  zero: () => ({ 'retry-after': '0' }),
  negative: () => ({ 'retry-after': '-5' }),
  huge: () => ({ 'retry-after': '1000000000' }),
  absent: () => ({}),
};

const headersOf = (context: FaultContext): Headers => ofForm(context, forms)(context.nowMs, context.waitMs);

/** In every dialect only the header states the wait. */
export const retryAfterForms: Fault = refusing('H5', {
  'chat-completions': (context) =>
    chatRefusal({
      status: 429,
      message: 'Rate limit reached for requests.',
      type: 'requests',
      param: null,
      code: 'rate_limit_exceeded',
      headers: headersOf(context),
    }),
  messages: (context) =>
    messagesRefusal(
      {
        status: 429,
        type: 'rate_limit_error',
        message: 'The request would exceed the rate limit of the organization',
        headers: headersOf(context),
      },
      context,
    ),
  'generate-content': (context) =>
    generateRefusal({
      code: 429,
      message: 'The resource has been exhausted.',
      status: 'RESOURCE_EXHAUSTED',
      headers: headersOf(context),
    }),
});
