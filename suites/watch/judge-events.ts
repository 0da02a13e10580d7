import type { TaskRecord } from '../oracle/media/task-answer.ts';
import type { TaskTraces } from '../oracle/media/task-traces.ts';
import { judgeRenewed, skewMs } from '../oracle/webhooks/freshness.ts';
import { judgeEnvelope } from '../oracle/webhooks/judge-event.ts';
import { judgePayload } from '../oracle/webhooks/judge-payload.ts';
import { judgeSignature } from '../oracle/webhooks/judge-signature.ts';
import { judgeMerged } from '../oracle/webhooks/merged-trace.ts';
import { judgeNone, judgeOnce, judgeSame } from '../oracle/webhooks/one-event.ts';
import { type Payload, readPayload } from '../oracle/webhooks/payload.ts';
import { plainSpelling } from '../oracle/webhooks/plain-spelling.ts';
import { verifySignature } from '../oracle/webhooks/signature.ts';
import { readStamp } from '../oracle/webhooks/stamp.ts';
import type { Profile } from '../profile/profile.ts';
import { must } from '../rules/violation.ts';
import type { Exchange } from '../wire/exchange.ts';
import { eventHeader, type ReceivedEvent } from '../wire/received-event.ts';
import { eventOf, type PassedEvents, timestampHeaderOf } from './passed-events.ts';
import { type Submission, type Submissions, secretsIn, targetOf } from './submissions.ts';

/** What is known when an event passes. */
export interface EventMemory {
  readonly traces: Pick<TaskTraces, 'readsOf' | 'endOf'>;
  readonly submissions: Submissions;
  readonly events: PassedEvents;
  readonly profile: Profile | null;
  /** Whether answers of the deployment so far were dated by a clock like ours. */
  readonly isOurTime: boolean;
}

/** One possible judgement of an event; it throws or flags violations. */
export interface EventCase {
  readonly check: 'events' | 'signatures' | 'eventUrls' | 'eventOrder';
  readonly judge: () => void;
}

/** The range of all valid times, ms. */
const anyTime = { min: 0, max: 8e15 };

interface Delivery {
  readonly event: ReceivedEvent;
  readonly payload: Payload;
  readonly submission: Submission | undefined;
}

/** The judgements about a passing event by itself, and in comparison with earlier traffic. */
export function eventCases(exchange: Exchange, memory: EventMemory): EventCase[] {
  const { submissions, events } = memory;
  const event = eventOf(exchange, events.next());
  if (event === null) return [];
  const payload = readPayload(event);
  const { taskId } = payload;
  const submission = taskId === null ? undefined : submissions.of(taskId);
  const delivery = { event, payload, submission };
  const cases = [
    ...deliveryCases(delivery, memory),
    ...signatureCases(delivery, memory),
    ...urlCases(delivery),
    ...orderCases(delivery, memory),
  ];
  const stamp = readStamp(eventHeader(event, timestampHeaderOf(memory.profile)) ?? '');
  events.keep(event, { payload, stamp });
  return cases;
}

/** The judgements about a read of a task in comparison with its earlier events. */
export function readAfterEvents(record: TaskRecord, { events }: Pick<EventMemory, 'events'>): EventCase[] {
  const before = events.of(record.taskId);
  const [first] = before;
  if (first === undefined) return [];
  const judge = (): void => {
    judgeMerged({ reads: [{ record }], events: before });
    if (record.status === 'QUEUED' || record.status === 'RUNNING') return;
    judgePayload(first, { taskId: record.taskId, status: null, record });
  };
  return [{ check: 'eventOrder', judge }];
}

function deliveryCases(delivery: Delivery, memory: EventMemory): EventCase[] {
  const { event } = delivery;
  const [known, earlier] = [
    memory.events.first(eventHeader(event, 'webhook-id') ?? ''),
    before(delivery, memory),
  ];
  // The time is unknown when the clock differs from ours or can be moved.
  const isTimed = memory.isOurTime && memory.profile?.hooks.clock === undefined;
  const timed = isTimed ? event : { ...event, receivedMs: anyTime };
  const judge = (): void => {
    const timestampHeader = timestampHeaderOf(memory.profile);
    const { stamp } = judgeEnvelope(timed, { timestampHeader, secret: null, isClockKnown: false });
    judgeContent(delivery, memory);
    if (known !== undefined) {
      const claims = { event, id: known.id, stamp, payload: delivery.payload, advice: [] };
      judgeSame(known, claims);
      const gapMs = event.receivedMs.min - known.event.receivedMs.min;
      if (isTimed) judgeRenewed(known, claims, [gapMs - skewMs.known, gapMs + skewMs.known]);
    }
    // Without ids a repeated delivery looks like another event.
    const all = [...earlier, event];
    if (all.every((one) => eventHeader(one, 'webhook-id') !== null)) judgeOnce(all);
  };
  return [{ check: 'events', judge }];
}

function before({ payload: { taskId } }: Delivery, { events }: EventMemory): readonly ReceivedEvent[] {
  return taskId === null ? [] : events.of(taskId);
}

function judgeContent({ event, payload }: Delivery, { submissions, traces }: EventMemory): void {
  const taskId = payload.taskId ?? submissions.onlyAt(event.target);
  if (taskId !== null) judgePayload(event, { taskId, status: null, record: traces.endOf(taskId) });
}

function signatureCases({ event, submission }: Delivery, { profile }: EventMemory): EventCase[] {
  const declared = profile === null ? [] : secretsIn(profile);
  // The task's account determines the secret; for an unknown task any secret may apply.
  const secrets = submission === undefined ? declared : declared.filter((one) => one === submission.secret);
  const [secret] = secrets;
  if (secret === undefined) return [];
  const fits = verifySignature(event, secrets).ok;
  return [{ check: 'signatures', judge: () => (fits ? undefined : judgeSignature(event, secret)) }];
}

function urlCases({ event, submission }: Delivery): EventCase[] {
  if (submission === undefined) return [];
  const { webhookUrl } = submission;
  if (webhookUrl === null) {
    const expected = 'nothing of a task without webhook_url';
    const rule = { requirement: 'HOOK-002', aspect: 'none-unasked', expected };
    return [{ check: 'eventUrls', judge: () => judgeNone([event], rule) }];
  }
  const asked = targetOf(webhookUrl);
  const finding = {
    ...{
      requirement: 'HOOK-005',
      aspect: 'exact-target',
      expected: `a POST to ${asked}`,
      actual: event.target,
    },
    exchange: event.exchange,
  };
  const isSame = mayLeadTo(plainSpelling(asked), plainSpelling(event.target));
  return [{ check: 'eventUrls', judge: () => must(isSame, finding) }];
}

/** Whether an event for one target may arrive at another, because a proxy may add or remove a path prefix. */
function mayLeadTo(asked: string, seen: string): boolean {
  const [one, other] = [partsOf(asked), partsOf(seen)];
  const endsWith = (long: string, short: string): boolean => long.endsWith(short === '/' ? '' : short);
  return one.query === other.query && (endsWith(one.path, other.path) || endsWith(other.path, one.path));
}

function partsOf(target: string): { readonly path: string; readonly query: string } {
  const at = target.indexOf('?');
  return at < 0 ? { path: target, query: '' } : { path: target.slice(0, at), query: target.slice(at) };
}

function orderCases(delivery: Delivery, memory: EventMemory): EventCase[] {
  const { taskId } = delivery.payload;
  const reads = taskId === null ? [] : memory.traces.readsOf(taskId);
  if (reads.length === 0) return [];
  const events = [...before(delivery, memory), delivery.event];
  return [{ check: 'eventOrder', judge: () => judgeMerged({ reads, events }) }];
}
