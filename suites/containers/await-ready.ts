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
  const until = AbortSignal.any([signal, late]);
  let seen: number | null = null;
  try {
    for (;;) {
      seen = (await statusAt(baseUrl, path, until)) ?? seen;
      if (isSuccess(seen, path)) return;
      await wait(askEachMs, undefined, { signal: until }).catch(() => undefined);
      until.throwIfAborted();
    }
  } catch (error) {
    if (!late.aborted) throw error;
    const asked = path === undefined ? 'answers' : `answers ${path} with success`;
    const words = (await lastWords()).join('\n');
    const advice = [401, 403].includes(seen ?? 0) ? '; ready.path needs a path that asks for no key' : '';
    const refused = seen === null ? '' : `: HTTP ${seen}${advice}`;
    throw new UnreachableError(
      `nothing ${asked} at the port that base_url names within ${seconds} s (ready.seconds)${refused}\n${words}`,
    );
  }
}

/** How often to ask, and how long one answer may take, ms. */
const askEachMs = 200;
const answerMs = 5_000;

/** Whether an address answers the path with success, or at all where no path is given. */
export async function isReady(
  baseUrl: string,
  path: string | undefined,
  signal: AbortSignal,
): Promise<boolean> {
  return isSuccess(await statusAt(baseUrl, path, signal), path);
}

function isSuccess(status: number | null, path: string | undefined): boolean {
  return status !== null && (path === undefined || (status >= 200 && status < 300));
}

/** The status of an answer; null where there is none. */
async function statusAt(
  baseUrl: string,
  path: string | undefined,
  signal: AbortSignal,
): Promise<number | null> {
  try {
    const url = `${new URL(baseUrl).origin}${path ?? '/'}`;
    return (await boundedCall(url, { method: 'GET', signal, withinMs: answerMs })).status;
  } catch {
    return null;
  }
}
