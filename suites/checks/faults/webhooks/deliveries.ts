import type { CheckParts } from '../../../engine/parts/check-parts.ts';
import { type ReceiverFaultFacts, receiverVerdictOf } from '../../../oracle/faults/webhook-fault-facts.ts';
import { judgeRenewed } from '../../../oracle/webhooks/freshness.ts';
import type { EventClaims } from '../../../oracle/webhooks/judge-event.ts';
import {
  distinctEvents,
  isTaken,
  judgeNone,
  judgeOnce,
  judgeSame,
} from '../../../oracle/webhooks/one-event.ts';
import { must } from '../../../rules/violation.ts';
import { judged, judgeStrayed } from '../../../steps/webhooks/observed-task.ts';
import { failures, type ReceiverAttempt } from './receiver-forms.ts';

/** The tolerance between two times, ms. */
const marginMs = 2_000;

/** Judges the deliveries to a bad receiver: their number, equal content, and a fresh timestamp each. */
export async function judgeDeliveries(
  parts: CheckParts,
  facts: ReceiverFaultFacts,
  { receiver, submitted, taskId, record }: ReceiverAttempt,
): Promise<void> {
  const { judge, tasks } = parts;
  const { inbox, elsewhere, form } = receiver;
  const { delivery } = receiverVerdictOf(facts, form);
  await judgeStrayed({ inbox });
  if (elsewhere !== null && elsewhere !== inbox) {
    const rule = { requirement: 'HOOK-005', aspect: 'not-redirected' };
    judgeNone(await elsewhere.eventsNow(), { ...rule, expected: 'nothing at the redirect target' });
  }
  const events = await inbox.eventsNow();
  judgeNone(distinctEvents(events).slice(delivery.ids), {
    requirement: 'HOOK-004',
    aspect: 'same-event',
    expected: `${delivery.ids} event, however often it is sent`,
  });
  // An event with a late answer may count as not accepted.
  if (form !== 'slow') for (const finding of judgeOnce(events)) judge.advise(finding);
  const taken = form === 'slow' ? -1 : events.findIndex(isTaken);
  const attempts = taken < 0 ? events : events.slice(0, taken + 1);
  const [min, max] = delivery.attempts;
  const isTooMany = attempts.length > (max ?? failures + 1);
  must(attempts.length >= min && !isTooMany, {
    requirement: min > 0 && events.length === 0 ? 'HOOK-001' : 'HOOK-004',
    aspect: events.length === 0 ? 'sent-on-success' : isTooMany ? 'stops' : 'redelivered',
    expected: `${min} to ${max ?? failures + 1} deliveries to a receiver (${form})`,
    actual: `${attempts.length}`,
    exchange: events.at(-1)?.exchange ?? submitted,
  });
  if (taskId === null) return;
  const scripted = { taskId, status: record?.status ?? null, record };
  const [first, ...again] = events.map((event) => judged(parts, event, scripted));
  for (const claims of again) if (first !== undefined) judgeAgain(first, claims);
  // The fate of its event must not change a task.
  tasks.record(await tasks.read(taskId), taskId);
}

/** Judges that a second delivery repeats the first. Its timestamp is later by the delay between the two deliveries. */
function judgeAgain(first: EventClaims, again: EventClaims): void {
  judgeSame(first, again);
  const [one, other] = [first.event.receivedMs, again.event.receivedMs];
  judgeRenewed(first, again, [other.min - one.max - marginMs, other.max - one.min + marginMs]);
}
