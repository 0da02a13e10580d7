import { setTimeout as wait } from 'node:timers/promises';
import { boundedCall } from '../process/bounded-call.ts';
import { UnreachableError } from '../process/exit-codes.ts';
import type { Ready } from '../profile/container.ts';

/**
 * Waits until a deployment that was started may be judged.
 * @throws UnreachableError with its last lines when it takes too long; the reason of `signal`
 */
export async function readyInTime(
  baseUrl: string,
  { path, seconds }: Ready,
  { signal, lastWords }: { readonly signal: AbortSignal; readonly lastWords: () => Promise<string[]> },
): Promise<void> {
  const late = AbortSignal.timeout(seconds * 1000);
  try {
    await awaitReady(baseUrl, path, AbortSignal.any([signal, late]));
  } catch (error) {
    if (!late.aborted) throw error;
    const asked = path === undefined ? 'answers' : `answers ${path} with success`;
    const words = (await lastWords()).join('\n');
    throw new UnreachableError(
      `nothing ${asked} at the port that base_url names within ${seconds} s (ready.seconds)\n${words}`,
    );
  }
}

/** How often to ask, and how long one answer may take, ms. */
const askEachMs = 200;
const answerMs = 5_000;

/**
 * Asks an address until it answers with success, or at all where no path is asked for. It goes on until `signal` is
 * aborted, and throws its reason then.
 */
async function awaitReady(baseUrl: string, path: string | undefined, signal: AbortSignal): Promise<void> {
  while (!(await isReady(baseUrl, path, signal))) {
    await wait(askEachMs, undefined, { signal }).catch(() => undefined);
    signal.throwIfAborted();
  }
}

/** Whether an address answers the path with success, or at all where no path is given. */
export async function isReady(
  baseUrl: string,
  path: string | undefined,
  signal: AbortSignal,
): Promise<boolean> {
  try {
    const url = `${new URL(baseUrl).origin}${path ?? '/'}`;
    const { status } = await boundedCall(url, { method: 'GET', signal, withinMs: answerMs });
    return path === undefined || (status >= 200 && status < 300);
  } catch {
    return false;
  }
}
