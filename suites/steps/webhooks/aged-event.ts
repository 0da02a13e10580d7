import { randomBytes } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { CheckClock } from '../../engine/parts/check-clock.ts';
import type { CheckParts } from '../../engine/parts/check-parts.ts';
import type { Target } from '../../engine/parts/target.ts';
import { clockText, clockVerdict, type EventClocks } from '../../oracle/webhooks/replay.ts';
import type { SignedContent } from '../../oracle/webhooks/sign.ts';
import { eventHeaders } from '../../oracle/webhooks/sign.ts';
import { must } from '../../rules/violation.ts';
import type { Rng } from '../../values/seed.ts';
import { type Exchange, excerpt, header, outcomeOf } from '../../wire/exchange.ts';

/** An event sent to the receiver, with its age at that time and the answer. */
export interface AgedEvent {
  readonly exchange: Exchange;
  readonly isTaken: boolean;
}

/** The part of a second in which to send, ms: far enough from the second before and after. */
const [earliestMs, latestMs] = [100, 600] as const;
const maxTries = 8;

export function kitOf({ profile }: Target): {
  readonly url: string;
  readonly secret: string;
} {
  const { kit } = profile.webhooks;
  if (kit === undefined) throw new Error('the check uses webhooks.kit without declaring that it needs it');
  return kit;
}

/** Sends an event whose times have an exact age. The case is repeated if the second changed meanwhile. */
export async function sendAged(parts: CheckParts, { signed, shown }: EventClocks): Promise<AgedEvent> {
  const { clock, cases, target, rng } = parts;
  // The receiver's clock may differ from ours, so its own `Date` counts.
  let aheadS = 0;
  for (let left = maxTries; ; left -= 1) {
    const within = clock.now() % 1_000;
    if (within < earliestMs || within > latestMs)
      await wait((1_000 + earliestMs - within) % 1_000, undefined, { signal: cases.signal });
    const sentS = nowS(clock) + aheadS;
    const event = { ...contentOf(rng, sentS), timestamp: clockText(signed, sentS) };
    const shownText = clockText(shown ?? signed, sentS);
    const headers = eventHeaders([kitOf(target).secret], event).map(
      ([name, value]) => [name, name === 'x-service-timestamp' ? shownText : value] as const,
    );
    const exchange = await post(parts, { headers, body: Buffer.from(event.body) });
    const saidS = saidSecond(exchange);
    const offS = (saidS ?? nowS(clock)) - sentS;
    if (offS === 0 || left <= 1) return { exchange, isTaken: isTaken(exchange) };
    if (saidS !== null) aheadS += offS;
  }
}

export function nowS(clock: CheckClock): number {
  return Math.floor(clock.now() / 1_000);
}

export function contentOf(rng: Rng, timestampS: number): SignedContent {
  // The id is random, so no receiver knows it from an earlier run.
  const id = `evt_${randomBytes(12).toString('hex')}`;
  const data = { task_id: `task_${rng.hex(16)}`, status: 'SUCCESS', result_urls: [], duration_sec: null };
  const timestamp = new Date(Math.max(0, timestampS) * 1_000).toISOString();
  const body = Buffer.from(JSON.stringify({ type: 'task.success', timestamp, data }));
  return { id, timestamp: String(timestampS), body };
}

export async function post(
  { webhooks, target }: CheckParts,
  { headers, body }: { readonly headers: readonly (readonly [string, string])[]; readonly body: Buffer },
): Promise<Exchange> {
  return webhooks.sendEvent(kitOf(target).url, {
    headers: Object.fromEntries(headers),
    body,
    label: 'an event',
  });
}

/** Judges an event by its times, under the rule about one bound, or about all times (reading B-115). */
export function judgeClocks(
  clocks: EventClocks,
  { exchange, isTaken }: AgedEvent,
  rule?: { readonly requirement: string; readonly aspect: string },
): void {
  const verdict = clockVerdict(clocks);
  must(verdict === null || isTaken === verdict.isTaken, {
    ...(rule ?? { requirement: 'HOOK-011', aspect: verdict?.aspect ?? '' }),
    expected: `an event with the times ${JSON.stringify(clocks)} ${verdict?.isTaken ? 'accepted' : 'refused'}`,
    ...seenIn(exchange),
  });
}

export function seenIn(exchange: Exchange): { actual: string; exchange: Exchange } {
  return { actual: `${outcomeOf(exchange)}: ${excerpt(exchange, 160)}`, exchange };
}

export function isTaken({ response }: Exchange): boolean {
  return response !== null && response.status >= 200 && response.status < 300;
}

/** The second at which a receiver answered, by its own clock; null where it does not say. */
function saidSecond(exchange: Exchange): number | null {
  const saidMs = Date.parse(header(exchange, 'date') ?? '');
  return Number.isNaN(saidMs) ? null : Math.floor(saidMs / 1_000);
}
