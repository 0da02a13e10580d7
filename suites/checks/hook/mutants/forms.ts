import { createHmac } from 'node:crypto';
import {
  editsSigned,
  editsUnsigned,
  events,
  recordIn,
  secondsOf,
  withEventHeader,
} from '../../../mutation/event-edits.ts';
import { type Mutant, source } from '../../../mutation/mutant.ts';
import type { DeliveryRoute, ProxyRequest } from '../../../mutation/mutation.ts';
import { headerOf } from '../../../mutation/proxy-headers.ts';

/** Gateways whose events are wrongly signed, stamped or filled. */

const signature = 'webhook-signature';
const service = 'x-service-timestamp';

/** A secret that anybody can compute. */
const constant = 'whsec_c2VjcmV0IG9mIG5vIGFjY291bnQgYXQgYWxsISE=';

function signedOver(
  text: (event: ProxyRequest) => string | Buffer,
  secret: string,
): (event: ProxyRequest) => ProxyRequest {
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
  return (event) =>
    withEventHeader(event, signature, `v1,${createHmac('sha256', key).update(text(event)).digest('base64')}`);
}

const idOf = (event: ProxyRequest): string => headerOf(event.headers, 'webhook-id');

const whole = (event: ProxyRequest): Buffer =>
  Buffer.concat([Buffer.from(`${idOf(event)}.${secondsOf(event)}.`), event.body]);

const signatures: readonly Mutant[] = [
  events(
    ['hook.unsigned', 'events are not signed', 'HOOK-007', 'signed'],
    editsUnsigned((event) => withEventHeader(event, signature, null)),
  ),
  events(
    ['hook.wrong-secret', 'events are signed by a secret of nobody’s', 'HOOK-007', 'verifies'],
    editsUnsigned(signedOver(whole, constant)),
  ),
  events(
    ['hook.signed-then-written', 'events are written anew after they are signed', 'HOOK-007', 'verifies'],
    editsUnsigned((event) => ({
      ...event,
      body: Buffer.from(JSON.stringify(JSON.parse(event.body.toString()), null, 1)),
    })),
  ),
];

/** When each event was sent for the first time, Unix seconds. */
const first = new Map<string, number>();

const restamped =
  (seconds: (event: ProxyRequest) => number) =>
  (event: ProxyRequest, eventRoute: DeliveryRoute): ProxyRequest =>
    eventRoute.sign(event, { seconds: seconds(event) });

const stamps: readonly Mutant[] = [
  events(
    ['hook.no-timestamp', 'events carry no X-Service-Timestamp', 'HOOK-008', 'timestamp-header'],
    editsUnsigned((event) => withEventHeader(event, service, null)),
  ),
  events(
    [
      'hook.timestamp-first-time',
      'an event that is sent again carries no X-Service-Timestamp',
      'HOOK-008',
      'timestamp-header',
    ],
    editsUnsigned((event, eventRoute) =>
      eventRoute.attempt === 1 ? event : withEventHeader(event, service, null),
    ),
  ),
  events(
    ['hook.timestamp-unsigned', 'the time that is signed is another one', 'HOOK-008', 'as-signed'],
    editsUnsigned((event, eventRoute) =>
      withEventHeader(
        eventRoute.sign(event, { seconds: secondsOf(event) - 30 }),
        service,
        String(secondsOf(event)),
      ),
    ),
  ),
  events(
    ['hook.time-of-submission', 'events carry the time of the submission', 'HOOK-009', 'time-of-sending'],
    editsUnsigned(restamped((event) => Math.floor(Date.parse(String(recordIn(event).submit_time)) / 1_000))),
  ),
  events(
    ['hook.clock-ahead', 'events are stamped by a clock that is ahead', 'HOOK-009', 'time-of-sending'],
    editsUnsigned(restamped((event) => secondsOf(event) + 90)),
  ),
  events(
    [
      'hook.first-time-again',
      'an event that is sent again carries the time of the first attempt',
      'HOOK-009',
      'renewed',
    ],
    editsUnsigned(
      restamped((event) => {
        const before = first.get(idOf(event)) ?? secondsOf(event);
        first.set(idOf(event), before);
        return before;
      }),
    ),
  ),
];

const payloads: readonly Mutant[] = [
  events(
    ['hook.other-task', 'an event names another task', 'HOOK-013', 'task-id'],
    editsSigned((_payload, record) => {
      record.task_id = `${String(record.task_id)}x`;
    }),
  ),
  events(
    ['hook.failure-as-success', 'the event of a failed task says SUCCESS', 'HOOK-013', 'status'],
    editsSigned((payload, record) => {
      if (record.status === 'FAILED') Object.assign(record, { status: 'SUCCESS' });
      if (payload.type === 'task.failed') payload.type = 'task.success';
    }),
  ),
  events(
    ['hook.success-as-failure', 'the event of a task that succeeded says FAILED', 'HOOK-013', 'status'],
    editsSigned((payload, record) => {
      if (record.status === 'SUCCESS') Object.assign(record, { status: 'FAILED' });
      if (payload.type === 'task.success') payload.type = 'task.failed';
    }),
  ),
  events(
    ['hook.type-of-success', 'every event is called task.success', 'HOOK-013', 'type'],
    editsSigned((payload) => {
      payload.type = 'task.success';
    }),
  ),
  events(
    ['hook.no-results', 'an event leaves out what was made', 'HOOK-013', 'record'],
    editsSigned((_payload, record) => {
      if (Array.isArray(record.result_urls)) record.result_urls = [];
    }),
  ),
  source(
    [
      'hook.error-bare',
      'the event of a failed task does not name the channel that its record names',
      'HOOK-013',
      'record',
    ],
    'services/tasks/task-events.ts',
    'JSON.stringify({ type, timestamp, data: taskView(task, linkTo) })',
    'JSON.stringify({ type, timestamp, data: taskView(task, linkTo) }).replace(/"channel":"[^"]*"/, \'"channel":null\')',
  ),
  events(
    ['hook.as-text', 'an event is called a text', 'HOOK-013', 'json-type'],
    editsUnsigned((event) => withEventHeader(event, 'content-type', 'text/plain')),
  ),
];

/** The text that a weaker scheme signs. */
const weaker: readonly Mutant[] = [
  events(
    ['hook.signature-of-body', 'signatures cover the body alone', 'HOOK-010', 'covers-timestamp'],
    editsUnsigned((event, eventRoute) => eventRoute.signText(event, event.body)),
  ),
  events(
    ['hook.signature-of-id-and-body', 'signatures do not cover the time', 'HOOK-010', 'covers-timestamp'],
    editsUnsigned((event, eventRoute) =>
      eventRoute.signText(event, Buffer.concat([Buffer.from(`${idOf(event)}.`), event.body])),
    ),
  ),
  events(
    ['hook.signature-of-time-and-body', 'signatures do not cover the id', 'HOOK-007', 'covers-id'],
    editsUnsigned((event, eventRoute) =>
      eventRoute.signText(event, Buffer.concat([Buffer.from(`${secondsOf(event)}.`), event.body])),
    ),
  ),
];

export const hookFormMutants: readonly Mutant[] = [...signatures, ...weaker, ...stamps, ...payloads];
