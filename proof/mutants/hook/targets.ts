import { type Body, objectIn } from '../../../suites/rewrite/json.ts';
import type { Mutation, ProxyAnswer, ProxyRequest } from '../../../suites/rewrite/mutation.ts';
import { headerOf } from '../../../suites/rewrite/proxy-headers.ts';
import { codeOf, refusal } from '../../../suites/rewrite/refusal-edits.ts';
import { editsSigned, editsUnsigned, events, taskOf, withEventHeader } from '../../edits/event-edits.ts';
import { inBodies, inRecords, isImagesCall, isSubmit } from '../../edits/media-edits.ts';
import type { Mutant } from '../../edits/mutant.ts';
import { front, source } from '../../edits/mutant.ts';

/** Gateways that send events to the wrong place, or report the wrong state of a task at its event. */

const urlIn = (request: ProxyRequest): string => String(objectIn(request.body)?.webhook_url ?? '');

const isRefusedUrl = (answer: ProxyAnswer): boolean => {
  const { error } = objectIn(answer.body) ?? {};
  return codeOf(answer) === 'invalid_param' && (error as Body).param === 'webhook_url';
};

const withoutUrl = inBodies(isSubmit, (body) => {
  delete body.webhook_url;
});

/** Whether the webhook_url of a task names this machine in an unusual spelling. */
const isOddlySpelled = (request: ProxyRequest): boolean => {
  const url = isSubmit(request) ? URL.parse(urlIn(request)) : null;
  const isHere = url?.protocol === 'https:' && /^(?:127\.0\.0\.1|\[::)/.test(url.hostname);
  return isHere && !urlIn(request).startsWith('https://127.0.0.1:');
};

/** Sends something to the canary for each task whose URL is not that of a receiver. */
const reachesCanary: Mutation['announces'] = async (request, answer, eventRoute) => {
  const url = URL.parse(urlIn(request));
  if (!isSubmit(request) || answer === null || answer.status >= 300 || url === null) return;
  if (eventRoute.pathOf(url.href) !== null) return;
  const path = url.pathname + url.search;
  await eventRoute.forward(
    { method: 'POST', path, headers: [], body: Buffer.from('{}') },
    eventRoute.plainOrigin,
  );
};

export const places: readonly Mutant[] = [
  events(
    ['hook.query-cut', 'events go to the webhook_url without its query', 'HOOK-005', 'exact-target'],
    editsUnsigned((event) => ({ ...event, path: event.path.replace(/\?.*$/s, '') })),
  ),
  source(
    [
      'hook.query-once',
      'the second delivery of an event goes to the webhook_url without its query',
      'HOOK-005',
      'same-target',
    ],
    'webhooks/attempt.ts',
    'return await sendEvent(means, { url, headers:',
    "return await sendEvent(means, { url: event.made > 0 ? url.replace(/\\?.*$/s, '') : url, headers:",
  ),
  events(
    ['hook.other-host', 'events name another host', 'HOOK-005', 'own-host'],
    editsUnsigned((event) => withEventHeader(event, 'host', 'webhooks.internal')),
  ),
  events(
    ['hook.redirect-followed', 'events follow redirects', 'HOOK-005', 'not-redirected'],
    async (event, eventRoute) => {
      const answer = await eventRoute.forward(event);
      const to = URL.parse(headerOf(answer.headers, 'location'));
      if (answer.status < 300 || answer.status > 399 || to === null) return answer;
      return eventRoute.forward({ ...event, path: to.pathname + to.search }, to.origin);
    },
  ),
  events(
    ['hook.over-http', 'events go over plain HTTP too', 'HOOK-006', 'https-only'],
    async (event, eventRoute) => {
      await eventRoute.forward(event, eventRoute.plainOrigin).catch(() => undefined);
      return eventRoute.forward(event);
    },
  ),
  front(['hook.http-taken', 'an http webhook_url counts as none', 'HOOK-006', 'http-refused'], {
    request: (request) =>
      /^http:/i.test(urlIn(request)) ? (withoutUrl.request?.(request) ?? request) : request,
  }),
  front(['hook.http-miscalled', 'an http webhook_url is put down to another field', 'HOOK-006', 'param'], {
    answer: (answer, request) =>
      isRefusedUrl(answer) && /^http:/i.test(urlIn(request)) ? refusal('invalid_param', 'model') : answer,
  }),
  front(
    ['hook.private-taken', 'a webhook_url may lead to a private address', 'HOOK-006', 'private-refused'],
    {
      request: (request) => (isOddlySpelled(request) ? (withoutUrl.request?.(request) ?? request) : request),
      announces: reachesCanary,
    },
  ),
  front(
    [
      'hook.public-refused',
      'a webhook_url may not even look as if it led to a private address',
      'HOOK-006',
      'public-accepted',
    ],
    {
      request: (request) =>
        /^https:\/\/[^/]*(?:127|local|internal|10\.|metadata|fd00|fe80|0x7f|2130706433|\d\/|\])/.test(
          urlIn(request),
        ) && isImagesCall(request)
          ? refusal('invalid_param', 'webhook_url')
          : request,
    },
  ),
];

/** How long reads lag behind events, in ms of real time. */
const behindMs = 1_500;

/** When the first event of each task was sent, and the tasks whose event was accepted. */
const firstSentAt = new Map<string, number>();
const through = new Set<string>();
const waiting = new Set<string>();

const goesOn = (record: Body): void => {
  Object.assign(record, { status: 'RUNNING', result_urls: null, duration_sec: null, error: null });
};
const isOver = ({ status }: Body): boolean => status !== 'QUEUED' && status !== 'RUNNING';

export const reads: readonly Mutant[] = [
  front(
    ['hook.before-the-state', 'an event comes before its state can be read', 'HOOK-012', 'readable-at-event'],
    {
      deliver: async (event, eventRoute) => {
        firstSentAt.set(taskOf(event), firstSentAt.get(taskOf(event)) ?? performance.now());
        return eventRoute.forward(event);
      },
      ...inRecords((record) => {
        const at = firstSentAt.get(String(record.task_id));
        if (isOver(record) && at !== undefined && performance.now() - at < behindMs) goesOn(record);
      }),
    },
  ),
  front(['hook.state-waits', 'a task ends when its event has been taken', 'HOOK-016', 'state-undelayed'], {
    deliver: async (event, eventRoute) => {
      const answer = await eventRoute.forward(event);
      if (answer.status < 300) through.add(taskOf(event));
      return answer;
    },
    announces: async (request, answer) => {
      const { task_id: id } = objectIn(answer?.body ?? Buffer.alloc(0)) ?? {};
      if (isSubmit(request) && urlIn(request) !== '') waiting.add(String(id));
    },
    ...inRecords((record) => {
      const id = String(record.task_id);
      if (isOver(record) && waiting.has(id) && !through.has(id)) goesOn(record);
    }),
  }),
];

/** Gateways that treat tasks with a webhook_url worse than others. */
export const worse: readonly Mutant[] = [
  front(['hook.fails-when-told', 'a task with a webhook_url fails', 'EP-016', 'same-result'], {
    deliver: editsSigned((payload, record) => {
      payload.type = 'task.failed';
      goesWrong(record);
    }),
    announces: async (request, answer) => {
      const { task_id: id } = objectIn(answer?.body ?? Buffer.alloc(0)) ?? {};
      if (isSubmit(request) && urlIn(request) !== '') waiting.add(`worse ${String(id)}`);
    },
    ...inRecords((record) => {
      if (isOver(record) && waiting.has(`worse ${String(record.task_id)}`)) goesWrong(record);
    }),
  }),
];

function goesWrong(record: Body): void {
  Object.assign(record, { status: 'FAILED', result_urls: null, duration_sec: null, error: null });
}
