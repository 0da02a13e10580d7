import { setTimeout as wait } from 'node:timers/promises';
import { boundedCall } from '../process/bounded-call.ts';

/** How often to ask, and how long one answer may take, ms. */
const askEachMs = 200;
const answerMs = 5_000;

/**
 * Asks an address until it answers with success, or at all where no path is asked for. It goes on until `signal` is
 * aborted, and throws its reason then.
 */
export async function awaitReady(
  baseUrl: string,
  path: string | undefined,
  signal: AbortSignal,
): Promise<void> {
  const { origin } = new URL(baseUrl);
  while (!(await isReady(`${origin}${path ?? '/'}`, path === undefined, signal))) {
    await wait(askEachMs, undefined, { signal }).catch(() => undefined);
    signal.throwIfAborted();
  }
}

async function isReady(url: string, anyAnswer: boolean, signal: AbortSignal): Promise<boolean> {
  try {
    const { status } = await boundedCall(url, { method: 'GET', signal, withinMs: answerMs });
    return anyAnswer || (status >= 200 && status < 300);
  } catch {
    return false;
  }
}
