import { createHmac } from 'node:crypto';
import { plainSpelling } from '../../suites/oracle/webhooks/plain-spelling.ts';
import { objectIn } from '../../suites/rewrite/json.ts';
import type { DeliveryRoute, Mutation, ProxyRequest } from '../../suites/rewrite/mutation.ts';
import { headerOf, withHeader } from '../../suites/rewrite/proxy-headers.ts';
import type { Variant } from '../edits/mutant.ts';
import { isObject, type JsonObject } from './rewrite.ts';

/**
 * Gateways whose events look different but mean the same (readings B-111 to B-114). Changes with a new
 * signature come before those without.
 */
export const eventVariants: readonly Variant[] = [
  {
    id: 'event.other-result-names',
    title: 'events name the results in their own way (B-69, B-113)',
    mutation: onPayloads(({ data: { result_urls: urls, ...rest }, ...payload }) => ({
      ...payload,
      data: Array.isArray(urls) ? { ...rest, outputs: urls.map((url: unknown) => ({ url })) } : rest,
    })),
  },
  {
    id: 'event.flat-payload',
    title: 'the payload is the record of the task, with the name of the event beside it (B-113)',
    mutation: onPayloads(({ type, data }) => ({ ...data, event: type })),
  },
  {
    id: 'event.enveloped-payload',
    title: 'the payload has an id of its own and the record in an envelope (B-113)',
    mutation: onPayloads(({ type, timestamp, data }) => ({
      id: `n-${String(data.task_id)}`,
      event_type: type,
      created: timestamp,
      payload: { task: { ...data, progress: 100 } },
    })),
  },
  {
    id: 'event.pretty-payload',
    title: 'the payload is written over several lines, its members in another order',
    mutation: onEvents((event, eventRoute) => {
      const members = Object.entries(objectIn(event.body) ?? {}).toReversed();
      const body = Buffer.from(`${JSON.stringify(Object.fromEntries(members), null, 2)}\n`);
      return eventRoute.sign({ ...event, body });
    }),
  },
  {
    id: 'event.equivalent-target',
    title: 'a webhook_url is written anew, with the escapes that RFC 3986 calls equivalent',
    advised: ['HOOK-005 same-spelling'],
    mutation: onEvents((event) => ({ ...event, path: plainSpelling(event.path) })),
  },
  {
    id: 'event.delivered-twice',
    title: 'an event is delivered again although it was taken, the same by id and body (B-114)',
    advised: ['HOOK-004 one-event'],
    mutation: {
      deliver: async (event, eventRoute) => {
        const answer = await eventRoute.forward(event);
        if (answer.status < 300) await eventRoute.forward(event).catch(() => undefined);
        return answer;
      },
    },
  },
  {
    id: 'event.more-signatures',
    title: 'events are signed by a secret to come and in a version to come, too (B-111)',
    mutation: onEvents((event) => {
      const mine = headerOf(event.headers, 'webhook-signature');
      const other = createHmac('sha256', 'the next secret').update(event.body).digest('base64');
      return {
        ...event,
        headers: withHeader(
          event.headers,
          'webhook-signature',
          `v2,${other}AA v1,${other} ${mine} v1a,${other}`,
        ),
      };
    }),
  },
  {
    id: 'event.milliseconds',
    title: 'X-Service-Timestamp is in milliseconds (B-112)',
    advised: ['HOOK-008 seconds'],
    mutation: onEvents((event) => withService(event, String(millisecondsOf(event)))),
  },
  {
    id: 'event.iso-time',
    title: 'X-Service-Timestamp is a time in RFC 3339 (B-112)',
    advised: ['HOOK-008 seconds'],
    mutation: onEvents((event) => withService(event, new Date(millisecondsOf(event)).toISOString())),
  },
  {
    id: 'event.more-headers',
    title: 'events have headers of the gateway’s own, names in capitals, and JSON with its charset',
    mutation: onEvents((event) => ({
      ...event,
      headers: [
        ...withHeader(event.headers, 'content-type', 'application/json; charset=utf-8').map(
          ([name, value]): [string, string] => [capitals(name), value],
        ),
        ['X-Region', 'a1'],
        ['Traceparent', '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'],
        ['X-Event-Attempt', String(event.body.length)],
      ],
    })),
  },
];

/** Changes the form of each event. Events of accounts with an unknown secret stay unchanged. */
function onEvents(change: (event: ProxyRequest, eventRoute: DeliveryRoute) => ProxyRequest): Mutation {
  return {
    deliver: (event, eventRoute) =>
      eventRoute.forward(eventRoute.knowsSecret ? change(event, eventRoute) : event),
  };
}

interface Payload {
  readonly type: unknown;
  readonly timestamp: unknown;
  readonly data: JsonObject;
}

/** Changes payloads and signs them. A payload that already has another form stays unchanged. */
export function onPayloads(write: (payload: Payload) => JsonObject): Mutation {
  return onEvents((event, eventRoute) => {
    const { type, timestamp, data } = objectIn(event.body) ?? {};
    if (!isObject(data)) return event;
    const body = Buffer.from(JSON.stringify(write({ type, timestamp, data })));
    return eventRoute.sign({ ...event, body });
  });
}

function millisecondsOf({ headers }: ProxyRequest): number {
  return Number(headerOf(headers, 'webhook-timestamp')) * 1_000;
}

function withService(event: ProxyRequest, value: string): ProxyRequest {
  return { ...event, headers: withHeader(event.headers, 'x-service-timestamp', value) };
}

function capitals(name: string): string {
  return name.replace(/(?<=^|-)[a-z]/g, (letter) => letter.toUpperCase());
}
