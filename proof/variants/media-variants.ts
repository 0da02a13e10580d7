import { objectIn } from '../../suites/rewrite/json.ts';
import type { Mutation, ProxyAnswer, ProxyRequest } from '../../suites/rewrite/mutation.ts';
import type { Variant } from '../edits/mutant.ts';
import { onPayloads } from './event-variants.ts';
import { refusalOf } from './requests.ts';
import { isObject, type JsonObject } from './rewrite.ts';

const withOneImage = (record: JsonObject): JsonObject => ({
  ...record,
  ...(Array.isArray(record.result_urls) &&
    record.model === 'journey-v7' && { result_urls: record.result_urls.slice(0, 1) }),
});

/** Gateways whose answers about images and tasks look different but mean the same. */
export const mediaVariants: readonly Variant[] = [
  {
    id: 'task.submitted-202',
    title:
      'submissions get 202 and a lower-case queued; only videos have submit_time, in seconds with an offset (B-08, B-65, B-68)',
    advised: ['TASK-011 capitals'],
    mutation: onAnswers(isSubmit, (answer, request) => {
      const { submit_time: time, ...rest } = answer;
      const isFilm = /^(?:vid|motion|delta|upscale|talk)/.test(modelOf(request));
      const submitTime = typeof time === 'string' && isFilm ? { submit_time: withOffset(time) } : {};
      return { status: 202, body: { ...rest, status: 'queued', ...submitTime } };
    }),
  },
  {
    id: 'task.sparse-records',
    title:
      'before its end a record has an empty list of results and no duration_sec, and a failed one gives no reason (B-70, B-72)',
    mutation: onRecords(({ error: _, duration_sec: seconds, result_urls: urls, ...rest }) => ({
      ...rest,
      result_urls: urls ?? [],
      ...(typeof seconds === 'number' ? { duration_sec: seconds } : {}),
    })),
  },
  {
    id: 'task.rich-records',
    title: 'records have members of the gateway’s own, some of which change with each read',
    mutation: onAnswers(isRead, (record) => ({
      body: {
        ...record,
        progress: record.status === 'SUCCESS' ? 100 : 37,
        read_at: Date.now(),
        owner: { team: 'a' },
      },
    })),
  },
  {
    id: 'task.links-signed-anew',
    title: 'links to results are signed anew for each read',
    mutation: onAnswers(isRead, (record) => ({
      body: {
        ...record,
        ...(Array.isArray(record.result_urls) && {
          result_urls: record.result_urls.map((url) => `${url}?signature=${nextSignature()}`),
        }),
      },
    })),
  },
  {
    id: 'task.composite-grid',
    title: 'a grid is one composite image (B-64)',
    mutation: {
      ...onRecords(withOneImage),
      ...onPayloads(({ data, ...payload }) => ({ ...payload, data: withOneImage(data) })),
    },
  },
  {
    id: 'task.expired-is-gone',
    title: 'a task that has expired is not found (B-66)',
    mutation: {
      answer: (answer, request) =>
        isRead(request) && objectIn(answer.body)?.status === 'EXPIRED'
          ? refusalOf(['task_not_found', null])
          : answer,
    },
  },
  {
    id: 'images.null-members',
    title: 'the elements of data have all members, null where there is nothing (B-56), and more',
    mutation: onAnswers(isImages, (answer) => ({
      body: {
        ...answer,
        id: 'img-1',
        data: (Array.isArray(answer.data) ? answer.data : []).map((picture) => ({
          url: null,
          b64_json: null,
          revised_prompt: null,
          width: 0,
          ...(isObject(picture) ? picture : {}),
        })),
      },
    })),
  },
];

let signed = 0;

function nextSignature(): number {
  signed += 1;
  return signed;
}

function isSubmit({ method, path }: ProxyRequest): boolean {
  return method === 'POST' && path.endsWith('/api/v1/tasks');
}

function isRead({ method, path }: ProxyRequest): boolean {
  return method === 'GET' && path.includes('/api/v1/tasks/');
}

function isImages({ method, path }: ProxyRequest): boolean {
  return method === 'POST' && path.endsWith('/api/v1/images/generations');
}

interface Changed {
  readonly status?: number;
  readonly body: JsonObject;
}

/** Rewrites successful answers to one kind of call. */
function onAnswers(
  isSuch: (request: ProxyRequest) => boolean,
  change: (answer: JsonObject, request: ProxyRequest) => Changed,
): Mutation {
  return {
    answer: (answer, request): ProxyAnswer => {
      const body = isSuch(request) && answer.status === 200 ? objectIn(answer.body) : null;
      if (body === null) return answer;
      const { status = 200, body: changed } = change(body, request);
      return { ...answer, status, body: Buffer.from(JSON.stringify(changed)) };
    },
  };
}

/** Rewrites the records of tasks, also in events. */
function onRecords(change: (record: JsonObject) => JsonObject): Mutation {
  return {
    ...onAnswers(isRead, (record) => ({ body: change(record) })),
    deliver: (event, eventRoute) => {
      const payload = objectIn(event.body);
      if (!eventRoute.knowsSecret || !isObject(payload?.data)) return eventRoute.forward(event);
      const body = Buffer.from(JSON.stringify({ ...payload, data: change(payload.data) }));
      return eventRoute.forward(eventRoute.sign({ ...event, body }));
    },
  };
}

function modelOf(request: ProxyRequest): string {
  const { model } = objectIn(request.body) ?? {};
  return typeof model === 'string' ? model : '';
}

/** The same moment with a time zone of +02:00, to the second. */
function withOffset(time: string): string {
  const moved = new Date(Math.floor(Date.parse(time) / 1_000) * 1_000 + 7_200_000);
  return moved.toISOString().replace(/\.\d+Z$/, '+02:00');
}
