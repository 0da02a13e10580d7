import { z } from 'zod';
import { moment } from '../../admin/account-schemas.ts';
import { found } from '../../admin/change.ts';
import { pageOf, pageQuery, pageView } from '../../admin/page.ts';
import { id } from '../../config/fields.ts';
import { invalidParam } from '../../errors/gateway-error.ts';
import { isTaskId } from '../../services/tasks/task-id.ts';
import {
  attemptFailures,
  type EventPlace,
  eventStates,
  eventTypes,
  type WebhookAttempt,
  type WebhookEvent,
} from '../../webhooks/webhooks.ts';
import { type AdminRoute, adminRoute } from './admin-route.ts';

const eventsPath = '/api/admin/webhooks';
const eventPath = `${eventsPath}/:event`;

const count = z.int().min(0);
const view = z.strictObject({
  event_id: z.string().describe('What the receiver is given as webhook-id.'),
  task_id: z.string(),
  account_id: z.string(),
  type: z.enum(eventTypes),
  url: z.string(),
  state: z
    .enum(eventStates)
    .describe('delivered: answered with 2xx; stopped: answered with 410; given_up: the schedule is over.'),
  attempts: count.describe('How often it was sent, or was to be.'),
  created_at: moment,
  next_attempt_at: moment.nullable().describe('Null unless pending.'),
  ended_at: moment.nullable(),
});
const attemptView = z.strictObject({
  n: z.int().min(1),
  at: moment,
  took_ms: count,
  status: z.int().nullable().describe('That of the answer; null when there was none.'),
  failure: z.enum(attemptFailures).nullable().describe('Why it does not count as delivered.'),
  manual: z.boolean().describe('Whether an administrator asked for it.'),
});
const wholeView = view.extend({
  body: z.string().describe('What is sent and signed, to the letter.'),
  log: z.array(attemptView).describe('What came of the attempts, the first one first.'),
});

const eventQuery = pageQuery.extend({
  account_id: id.optional(),
  task_id: z.string().refine(isTaskId, 'must be the id of a task').optional(),
  state: z.enum(eventStates).optional(),
});

/** Routes for the events that report to callers how their tasks ended, and for their delivery attempts. */
export const webhookRoutes: readonly AdminRoute[] = [
  adminRoute({
    method: 'GET',
    path: eventsPath,
    summary: 'Lists the stored webhook events, newest first.',
    query: eventQuery,
    answer: pageView(view),
    handle: async ({ admin, query }) => {
      const { limit, after } = query;
      const filter = {
        ...(query.account_id !== undefined && { accountId: query.account_id }),
        ...(query.task_id !== undefined && { taskId: query.task_id }),
        ...(query.state !== undefined && { state: query.state }),
      };
      const place = after === undefined ? undefined : placeOf(after);
      return pageOf(await admin.webhooks.search(filter, limit + 1, place), limit, cursorOf, viewOf);
    },
  }),
  adminRoute({
    method: 'GET',
    path: eventPath,
    summary: 'Shows a webhook event, its content, and the result of each attempt.',
    answer: wholeView,
    handle: async ({ admin, ids: { event: eventId = '' } }) => {
      const known = isEventId(eventId) ? await admin.webhooks.find(eventId) : null;
      const { event, attempts, body } = found(known ?? undefined, 'event');
      return { ...viewOf(event), body, log: attempts.map(attemptOf) };
    },
  }),
  adminRoute({
    method: 'POST',
    path: `${eventPath}/redeliver`,
    summary: 'Sends a webhook event again: at once, then by the schedule from its start.',
    answer: view,
    hasChanged: () => true,
    handle: async ({ admin, ids: { event: eventId = '' } }) => {
      const event = isEventId(eventId) ? await admin.webhooks.redeliver(eventId) : null;
      return viewOf(found(event ?? undefined, 'event'));
    },
  }),
];

/** A path may contain anything; only a text in the form of an event id is looked up. */
function isEventId(text: string): boolean {
  return /^evt_[A-Za-z0-9_-]{1,100}$/.test(text);
}

function cursorOf({ createdAtMs, id: eventId }: WebhookEvent): string {
  return `${createdAtMs}.${eventId}`;
}

function placeOf(cursor: string): EventPlace {
  const [, at, eventId = ''] = /^(\d{1,15})\.(.+)$/.exec(cursor) ?? [];
  if (at === undefined || !isEventId(eventId))
    throw invalidParam('after', 'after must be the next of an earlier answer.');
  return { createdAtMs: Number(at), id: eventId };
}

function viewOf(event: WebhookEvent): z.input<typeof view> {
  return {
    event_id: event.id,
    task_id: event.taskId,
    account_id: event.accountId,
    type: event.type,
    url: event.url,
    state: event.state,
    attempts: event.attempts,
    created_at: momentOf(event.createdAtMs),
    next_attempt_at: event.nextAtMs === null ? null : momentOf(event.nextAtMs),
    ended_at: event.endedAtMs === null ? null : momentOf(event.endedAtMs),
  };
}

function attemptOf({
  n,
  atMs,
  tookMs,
  status,
  failure,
  isManual,
}: WebhookAttempt): z.input<typeof attemptView> {
  return { n, at: momentOf(atMs), took_ms: tookMs, status, failure, manual: isManual };
}

function momentOf(ms: number): string {
  return new Date(ms).toISOString();
}
