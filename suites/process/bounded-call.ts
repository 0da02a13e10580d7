import { Agent, request } from 'undici';

/** A call of a service that is not judged itself: a hook, or the control API of a receiver. */
export interface BoundedCall {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly signal?: AbortSignal;
  /** How long the whole answer may take, ms. */
  readonly withinMs?: number;
}

/** The longest answer that is read, bytes: thousands of ledger entries fit. */
export const maxAnswerBytes = 32 * 1024 * 1024;

/** More than a hook needs that waits for the work of its deployment, ms. */
const usualMs = 60_000;

const agent = new Agent({ headersTimeout: 0, bodyTimeout: 0, maxResponseSize: maxAnswerBytes });

/**
 * Sends a request and reads the whole answer, of bounded length and within a bounded time, whatever the server does.
 * @throws Error that says in one sentence what was wrong; the signal's own reason when that was aborted.
 */
export async function boundedCall(
  url: string,
  { withinMs = usualMs, signal, ...options }: BoundedCall,
): Promise<{ status: number; text: string }> {
  const late = AbortSignal.timeout(withinMs);
  const either = signal === undefined ? late : AbortSignal.any([signal, late]);
  try {
    const answer = await request(url, { ...options, dispatcher: agent, signal: either });
    return { status: answer.statusCode, text: await answer.body.text() };
  } catch (error) {
    if (signal?.aborted !== true && late.aborted) throw new Error(`no whole answer within ${withinMs} ms`);
    if ((error as NodeJS.ErrnoException).code === 'UND_ERR_RES_EXCEEDED_MAX_SIZE')
      throw new Error(`more than ${maxAnswerBytes} bytes of answer`);
    throw error;
  }
}
