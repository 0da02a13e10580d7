import { type Body, objectIn } from '../../../suites/rewrite/json.ts';
import type { EventRoute, ProxyAnswer, ProxyRequest } from '../../../suites/rewrite/mutation.ts';
import { authorizationOf, pathOf } from '../../../suites/rewrite/refusal-edits.ts';
import {
  editsSigned,
  editsUnsigned,
  events,
  newEvent,
  nextId,
  recordIn,
  taken,
  taskOf,
  withholds,
} from '../../edits/event-edits.ts';
import { inBodies, isSubmit, isTaskRead } from '../../edits/media-edits.ts';
import type { Mutant } from '../../edits/mutant.ts';
import { front, source } from '../../edits/mutant.ts';

/** Gateways that send events at the wrong time, or not at all. */

const isOver = (record: Body): boolean => ['SUCCESS', 'FAILED', 'EXPIRED'].includes(String(record.status));

export const missing: readonly Mutant[] = [
  events(
    ['hook.none-on-success', 'a task that succeeds sends no event', 'HOOK-001', 'sent-on-success'],
    withholds((record) => record.status === 'SUCCESS'),
  ),
  events(
    ['hook.none-on-failed', 'a task that fails sends no event', 'HOOK-001', 'sent-on-failed'],
    withholds((record) => record.status === 'FAILED'),
  ),
  events(
    ['hook.none-on-expired', 'a task that expires sends no event', 'HOOK-001', 'sent-on-expired'],
    withholds((record) => record.status === 'EXPIRED'),
  ),
  source(
    [
      'hook.none-unless-started',
      'a task whose job never began sends no event',
      'HOOK-001',
      'sent-though-never-started',
    ],
    'services/tasks/task-events.ts',
    'const type = eventTypes[task.status];',
    'const type = task.nativeId === null ? undefined : eventTypes[task.status];',
  ),
  source(
    [
      'hook.none-unless-begun',
      'a task that expires before its job began sends no event',
      'HOOK-001',
      'sent-though-only-asked',
    ],
    'services/tasks/task-events.ts',
    'const type = eventTypes[task.status];',
    "const type = task.nativeId === null && task.status === 'EXPIRED' ? undefined : eventTypes[task.status];",
  ),
  source(
    [
      'hook.none-when-given-up',
      'a task that the gateway gives up sends no event',
      'HOOK-001',
      'sent-on-own-failure',
    ],
    'tasks/take-step.ts',
    'return { task: asked, ending: step.ending };',
    'return { task: { ...asked, webhookUrl: null }, ending: step.ending };',
  ),
  source(
    ['hook.one-for-all', 'of tasks that end together one sends its event', 'HOOK-001', 'sent-for-each'],
    'services/tasks/task-events.ts',
    '  const goal = goalOf(task);',
    `  const goal = goalOf(task);
  const world = globalThis as { told?: Map<string, number> };
  world.told ??= new Map();
  const { url, atMs } = goal ?? { url: '', atMs: 0 };
  const before = world.told.get(url);
  world.told.set(url, atMs);
  if (url !== '' && before !== undefined && atMs - before < 1_000) return null;`,
  ),
  events(
    ['hook.put', 'events are put', 'HOOK-001', 'posted'],
    editsUnsigned((event) => ({ ...event, method: 'PUT' })),
  ),
  events(
    [
      'hook.one-at-a-time',
      'an event waits until the one before has been taken',
      'HOOK-001',
      'sent-beside-slow',
    ],
    oneAtATime(),
  ),
  events(
    ['hook.films-only', 'only videos send events', 'HOOK-017', 'every-model'],
    withholds((record) => !/^(?:vid|motion|delta|upscale|talk)/.test(String(record.model))),
  ),
  events(
    ['hook.one-model-fails-silently', 'one model reports no failure', 'HOOK-017', 'every-model-failed'],
    withholds(({ model, status }) => model === 'talk-audio' && status === 'FAILED'),
  ),
  // Tasks that end together may be lost by their number, or by their model.
  events(
    ['hook.one-model-expires-silently', 'one model reports no expiry', 'HOOK-001', 'sent-for-each'],
    withholds(({ model, status }) => model === 'upscale-video' && status === 'EXPIRED'),
  ),
  events(
    ['hook.steps-expire-silently', 'a later step reports no expiry', 'HOOK-001', 'sent-at-each-end'],
    withholds(({ action, status }) => action !== undefined && action !== 'generate' && status === 'EXPIRED'),
  ),
  events(
    ['hook.steps-silent', 'a step that builds on another task sends no event', 'HOOK-017', 'every-step'],
    withholds((record) => typeof record.action === 'string' && record.action !== 'generate'),
  ),
];

function oneAtATime(): (event: ProxyRequest, eventRoute: EventRoute) => Promise<ProxyAnswer> {
  let before: Promise<unknown> = Promise.resolve();
  return (event, eventRoute) => {
    const mine = before.then(() => eventRoute.forward(event));
    before = mine.catch(() => undefined);
    return mine;
  };
}

/** The latest webhook_url used with each key. */
const lastUrls = new Map<string, unknown>();

/** The webhook_url of each task, and whether a read has already sent its event. */
const urls = new Map<string, unknown>();

const noted = (request: ProxyRequest, answer: ProxyAnswer | null): Body => {
  const record = objectIn(answer?.body ?? Buffer.alloc(0)) ?? {};
  const { webhook_url: url } = objectIn(request.body) ?? {};
  if (isSubmit(request) && url !== undefined) urls.set(String(record.task_id), url);
  return record;
};

const send = async (eventRoute: EventRoute, url: unknown, type: string, record: Body): Promise<void> => {
  const path = eventRoute.pathOf(url);
  if (path === null) return;
  const seconds = Math.floor(Date.parse(String(record.submit_time)) / 1_000);
  await eventRoute.forward(eventRoute.sign(newEvent(path, type, record), { id: nextId(), seconds }));
};

export const unasked: readonly Mutant[] = [
  front(
    [
      'hook.last-url',
      'a task without webhook_url sends its event to the last one of its key',
      'HOOK-002',
      'none-unasked',
    ],
    {
      request: (request) => {
        const key = authorizationOf(request);
        return (
          inBodies(isSubmit, (body) => {
            if (body.webhook_url === undefined && lastUrls.has(key)) body.webhook_url = lastUrls.get(key);
            else if (body.webhook_url !== undefined) lastUrls.set(key, body.webhook_url);
          }).request?.(request) ?? request
        );
      },
    },
  ),
  front(['hook.at-submission', 'a task sends an event when it is taken on', 'HOOK-003', 'not-before-end'], {
    announces: async (request, answer, eventRoute) => {
      const record = noted(request, answer);
      if (!isSubmit(request) || record.task_id === undefined) return;
      await send(eventRoute, urls.get(String(record.task_id)), 'task.queued', record);
    },
  }),
  front(
    ['hook.at-reads', 'a read of a task that has ended sends an event', 'TASK-020', 'reading-sends-nothing'],
    {
      announces: async (request, answer, eventRoute) => {
        const record = noted(request, answer);
        if (isTaskRead(request) && isOver(record))
          await send(
            eventRoute,
            urls.get(String(record.task_id)),
            `task.${String(record.status).toLowerCase()}`,
            record,
          );
      },
    },
  ),
  front(['hook.of-chats', 'a chat sends an event', 'SSE-022', 'chat-sends-nothing'], {
    announces: async (request, _answer, eventRoute) => {
      if (pathOf(request) !== '/api/v1/chat/completions') return;
      const { webhook_url: url, model } = objectIn(request.body) ?? {};
      const submit_time = new Date().toISOString();
      await send(eventRoute, url, 'chat.completed', { id: 'chatcmpl-1', model, submit_time });
    },
  }),
  front(
    ['hook.chat-field-taken', 'a chat may name a webhook_url', 'SSE-022', 'field-refused'],
    inBodies(
      (request) => pathOf(request) === '/api/v1/chat/completions',
      (body) => {
        delete body.webhook_url;
      },
    ),
  ),
];

/** The first event of each task, by id. */
const ids = new Map<string, string>();

export const repeated: readonly Mutant[] = [
  source(
    [
      'hook.attempt-counted',
      'a repeated delivery has a member more than the first',
      'HOOK-004',
      'same-members',
    ],
    'webhooks/attempt.ts',
    '  const { id, url, body } = event;',
    '  const { id, url, made } = event;\n  const body = made === 0 ? event.body : JSON.stringify({ ...JSON.parse(event.body), attempt: made + 1 });',
  ),
  events(
    ['hook.two-events', 'each task sends two events', 'HOOK-004', 'one-event'],
    async (event, eventRoute) => {
      await eventRoute.forward(event);
      return eventRoute.forward(eventRoute.sign(event, { id: nextId() }));
    },
  ),
  events(
    ['hook.new-id-each', 'each attempt at an event has an id of its own', 'HOOK-004', 'same-event'],
    async (event, eventRoute) =>
      eventRoute.forward(eventRoute.attempt === 1 ? event : eventRoute.sign(event, { id: nextId() })),
  ),
  // A second mutant: the same event by its id, with other content.
  source(
    ['hook.repeated-anew', 'a repeated delivery shows another duration', 'HOOK-004', 'same-event'],
    'webhooks/attempt.ts',
    '  const { id, url, body } = event;',
    '  const { id, url, made } = event;\n  const body = made === 0 ? event.body : event.body.replace(/"duration_sec":\\d+/, \'"duration_sec":1\');',
  ),
  events(['hook.one-id-for-all', 'all events have one id', 'HOOK-004', 'own-id'], async (event, eventRoute) =>
    eventRoute.forward(eventRoute.sign(event, { id: 'evt_all' })),
  ),
  events(
    ['hook.never-again', 'an event is sent once, whatever comes of it', 'HOOK-004', 'redelivered'],
    async (event, eventRoute) => {
      await eventRoute.forward(event).catch(() => undefined);
      return taken;
    },
  ),
  events(
    ['hook.skips-an-attempt', 'an event is not sent as often as is declared', 'HOOK-004', 'as-declared'],
    async (event, eventRoute) =>
      eventRoute.attempt === 3 ? { ...taken, status: 500 } : eventRoute.forward(event),
  ),
  events(
    ['hook.gone-ignored', 'a receiver that is gone gets its events all the same', 'HOOK-004', 'stops'],
    async (event, eventRoute) => {
      const answer = await eventRoute.forward(event);
      return answer.status === 410 ? { ...answer, status: 500 } : answer;
    },
  ),
  events(
    ['hook.later-again', 'a second event follows that reports another end', 'STATE-010', 'no-second-event'],
    async (event, eventRoute) => {
      const task = taskOf(event);
      const answer = await eventRoute.forward(event);
      if (ids.has(task)) return answer;
      ids.set(task, nextId());
      const other = recordIn(event).status === 'FAILED' ? 'SUCCESS' : 'FAILED';
      await editsSigned((payload, record) => {
        payload.type = `task.${other.toLowerCase()}`;
        record.status = other;
      })(event, { ...eventRoute, sign: (changed) => eventRoute.sign(changed, { id: ids.get(task) ?? '' }) });
      return answer;
    },
  ),
];
