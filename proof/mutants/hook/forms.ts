import { createHmac } from 'node:crypto';
import type { DeliveryRoute, ProxyRequest } from '../../../suites/rewrite/mutation.ts';
import { headerOf } from '../../../suites/rewrite/proxy-headers.ts';
import { isJsonObject } from '../../../suites/values/json.ts';
import { editsSigned, editsUnsigned, events, secondsOf, withEventHeader } from '../../edits/event-edits.ts';
import type { Mutant } from '../../edits/mutant.ts';

/** Gateways with wrong signatures, timestamps or contents of events. */

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

export const signatures: readonly Mutant[] = [
  events(
    ['hook.unsigned', 'events are not signed', 'HOOK-007', 'signed'],
    editsUnsigned((event) => withEventHeader(event, signature, null)),
  ),
  events(
    ['hook.wrong-secret', 'events are signed with another secret', 'HOOK-007', 'verifies'],
    editsUnsigned(signedOver(whole, constant)),
  ),
  // A second mutant: ends that few tasks have.
  events(
    [
      'hook.failures-by-another',
      'events of failed tasks are signed with another secret',
      'HOOK-007',
      'verifies',
    ],
    editsUnsigned((event) => (event.body.includes('"FAILED"') ? signedOver(whole, constant)(event) : event)),
  ),
];

/** When each event was first sent, in Unix seconds. */
const first = new Map<string, number>();

const restamped =
  (seconds: (event: ProxyRequest) => number) =>
  (event: ProxyRequest, eventRoute: DeliveryRoute): ProxyRequest =>
    eventRoute.sign(event, { seconds: seconds(event) });

export const stamps: readonly Mutant[] = [
  events(
    ['hook.no-timestamp', 'events carry no X-Service-Timestamp', 'HOOK-008', 'timestamp-header'],
    editsUnsigned((event) => withEventHeader(event, service, null)),
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

export const payloads: readonly Mutant[] = [
  events(
    ['hook.other-task', 'an event names another task', 'HOOK-013', 'task-id'],
    editsSigned((_payload, record) => {
      record.task_id = `${String(record.task_id)}x`;
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
  events(
    ['hook.library-words', 'the event of a failure quotes a library', 'ERR-009', 'event-in-own-words'],
    editsSigned((_payload, { error }) => {
      if (isJsonObject(error)) error.message = 'connect ECONNREFUSED 10.0.0.3:8443';
    }),
  ),
  events(
    ['hook.as-text', 'an event is called a text', 'HOOK-013', 'json-type'],
    editsUnsigned((event) => withEventHeader(event, 'content-type', 'text/plain')),
  ),
];

/** The text that a weaker scheme signs. */
export const weaker: readonly Mutant[] = [
  events(
    ['hook.signature-of-body', 'signatures cover the body alone', 'HOOK-010', 'covers-timestamp'],
    editsUnsigned((event, eventRoute) => eventRoute.signText(event, event.body)),
  ),
  events(
    ['hook.signature-of-time-and-body', 'signatures do not cover the id', 'HOOK-007', 'covers-id'],
    editsUnsigned((event, eventRoute) =>
      eventRoute.signText(event, Buffer.concat([Buffer.from(`${secondsOf(event)}.`), event.body])),
    ),
  ),
];
