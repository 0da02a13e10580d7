import { randomBytes } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { CheckParts } from '../../engine/parts/check-parts.ts';
import type { SignedContent } from '../../oracle/webhooks/sign.ts';
import { eventHeaders } from '../../oracle/webhooks/sign.ts';
import { type Exchange, header } from '../../wire/exchange.ts';

/** How old an event may be, and how far ahead, seconds. */
export const boundS = 300;

/** An event that was sent to the receiver, with how old it was then, and what came back. */
export interface AgedEvent {
  readonly exchange: Exchange;
  readonly isTaken: boolean;
}

export function kitOf({ target: { profile } }: CheckParts): {
  readonly url: string;
  readonly secret: string;
} {
  const { kit } = profile.webhooks;
  if (kit === undefined) throw new Error('the check uses webhooks.kit without declaring that it needs it');
  return kit;
}

/** Within a second: from here to there nothing is near the next one, ms. */
const [earliestMs, latestMs] = [100, 600] as const;
const maxTries = 8;

/** Sends an event of an age that is exact: a case during which the second passed is repeated. */
export async function sendAged(kit: CheckParts, ageS: number): Promise<AgedEvent> {
  // The receiver's clock may be another one: by what it says of itself.
  let aheadS = 0;
  for (let left = maxTries; ; left -= 1) {
    const within = kit.clock.now() % 1_000;
    if (within < earliestMs || within > latestMs)
      await wait((1_000 + earliestMs - within) % 1_000, undefined, { signal: kit.cases.signal });
    const sentS = nowS(kit) + aheadS;
    const event = contentOf(kit, sentS - ageS);
    const headers = eventHeaders([kitOf(kit).secret], event);
    const exchange = await post(kit, { headers, body: Buffer.from(event.body) });
    const saidS = saidSecond(exchange);
    const offS = (saidS ?? nowS(kit)) - sentS;
    if (offS === 0 || left <= 1) return { exchange, isTaken: isTaken(exchange) };
    if (saidS !== null) aheadS += offS;
  }
}

/** The second in which a receiver answered by its own clock; null where it does not tell. */
function saidSecond(exchange: Exchange): number | null {
  const saidMs = Date.parse(header(exchange, 'date') ?? '');
  return Number.isNaN(saidMs) ? null : Math.floor(saidMs / 1_000);
}

export function nowS(kit: CheckParts): number {
  return Math.floor(kit.clock.now() / 1_000);
}

export function contentOf(kit: CheckParts, timestampS: number): SignedContent {
  // No receiver may know it from an earlier run.
  const id = `evt_${randomBytes(12).toString('hex')}`;
  const data = { task_id: `task_${kit.rng.hex(16)}`, status: 'SUCCESS', result_urls: [], duration_sec: null };
  const timestamp = new Date(Math.max(0, timestampS) * 1_000).toISOString();
  const body = Buffer.from(JSON.stringify({ type: 'task.success', timestamp, data }));
  return { id, timestamp: String(timestampS), body };
}

export async function post(
  kit: CheckParts,
  { headers, body }: { readonly headers: readonly (readonly [string, string])[]; readonly body: Buffer },
): Promise<Exchange> {
  return kit.webhooks.sendEvent(kitOf(kit).url, {
    headers: Object.fromEntries(headers),
    body,
    label: 'an event',
  });
}

export function isTaken({ response }: Exchange): boolean {
  return response !== null && response.status >= 200 && response.status < 300;
}
