import { type Finding, must } from '../../rules/violation.ts';
import { eventHeader, type ReceivedEvent } from '../../wire/received-event.ts';
import { judgeTimeOfSending, skewMs, spanOf } from './freshness.ts';
import { judgePayload, type PayloadClaims } from './judge-payload.ts';
import { judgeSignature } from './judge-signature.ts';
import type { Payload } from './payload.ts';
import { judgeStamp, type Stamp } from './stamp.ts';

/** The deployment's declarations about its events. */
export interface EventRules {
  readonly timestampHeader: string;
  /** The secret that signs them; null when the profile does not declare it. */
  readonly secret: string | null;
  /** Whether its clock is ours, as in a stack, so that times can be compared closely. */
  readonly isClockKnown: boolean;
}

/** An event that has been judged, with its content. */
export interface EventClaims {
  readonly event: ReceivedEvent;
  /** Its webhook-id; null when it has none. */
  readonly id: string | null;
  readonly stamp: Stamp;
  readonly payload: Payload;
  /** Violated advice; no rule is violated. */
  readonly advice: readonly Finding[];
}

/** Judges one delivery alone. It must be a signed POST with a fresh timestamp, and agree with reads of its task. */
export function judgeEvent(event: ReceivedEvent, rules: EventRules, claims: PayloadClaims): EventClaims {
  const { stamp, advice } = judgeEnvelope(event, rules);
  const { payload, advice: more } = judgePayload(event, claims);
  return { event, id: eventHeader(event, 'webhook-id'), stamp, payload, advice: [...advice, ...more] };
}

/** Judges the rules for every event, whatever its content. */
export function judgeEnvelope(
  event: ReceivedEvent,
  { timestampHeader, secret, isClockKnown }: EventRules,
): { readonly stamp: Stamp; readonly advice: readonly Finding[] } {
  must(event.method === 'POST' && !event.isCut, {
    requirement: 'HOOK-001',
    aspect: 'posted',
    expected: 'a POST with a complete body',
    actual: event.isCut ? 'an incomplete body' : event.method,
    exchange: event.exchange,
  });
  const { advice, ...stamp } = judgeStamp(event, timestampHeader);
  judgeSignature(event, secret);
  judgeTimeOfSending(event, stamp, spanOf(event, isClockKnown ? skewMs.known : skewMs.unknown));
  return { stamp, advice };
}
