import { mediaModel } from '../../suites/oracle/media/models.ts';
import { objectIn } from '../../suites/rewrite/json.ts';
import type { Mutation, ProxyAnswer, ProxyRequest } from '../../suites/rewrite/mutation.ts';
import type { Variant } from '../edits/mutant.ts';
import { everyError, isObject, type JsonObject } from './rewrite.ts';

/** Gateways that differ where the specification is silent and no reading speaks either, or only as advice. */
export const silentVariants: readonly Variant[] = [
  {
    id: 'error.param-beside-other-faults',
    title: 'limits and upstream failures name the model in param, though no field is invalid (B-06)',
    advised: ['ERR-007 param-of-code', 'ERR-007 param', 'COMPA-011 param-of-code', 'COMPA-011 param'],
    mutation: everyError((error) =>
      blamesNoField(error) ? { ...error, param: error.param ?? 'model' } : error,
    ),
  },
  {
    id: 'path.pages-beside',
    title: 'a web site stands beside the interface and shows a page of HTML at every other path (B-117)',
    mutation: {
      request: (request) =>
        /^\/(?:api|compat-[ab])\/(?!v1\/?$)./.test(request.path) ? request : page(200, 'Welcome'),
    },
  },
  {
    id: 'path.encoded-refused',
    title: 'an edge refuses ids of tasks with encoded characters in its own words',
    mutation: {
      request: (request) =>
        request.path.includes('/api/v1/tasks/') && request.path.includes('%')
          ? page(400, 'Bad Request')
          : request,
    },
  },
  {
    id: 'task.other-result-names',
    title: 'records of sound name their results in their own way (B-69)',
    mutation: onRecords((record) => {
      if (!isSound(record) || !Array.isArray(record.result_urls)) return record;
      const { result_urls: urls, ...rest } = record;
      return { ...rest, outputs: (urls as unknown[]).map((url) => ({ url })) };
    }),
  },
  {
    id: 'cap.short-queue',
    title: 'a call above the cap waits a moment for a slot before it is refused (B-103)',
    mutation: { delayAnswer: (answer) => (isByCap(answer) ? 1_500 : 0) },
  },
  {
    id: 'secret.other-words',
    title: 'tasks of other accounts are unknown in other words and under other headers than ids never issued',
    advised: ['STATE-011 alike'],
    mutation: otherWords(),
  },
];

function blamesNoField({ type }: JsonObject): boolean {
  return type === 'rate_limit_error' || type === 'api_error';
}

function isByCap({ status, body }: ProxyAnswer): boolean {
  return status === 429 && body.includes('concurrency_exceeded');
}

function page(status: number, title: string): ProxyAnswer {
  const body = Buffer.from(`<!doctype html><title>${title}</title><h1>${title}</h1>`);
  return { status, headers: [['content-type', 'text/html']], body };
}

function isSound({ model }: JsonObject): boolean {
  return typeof model === 'string' && mediaModel(model)?.medium === 'audio';
}

function isRead({ method, path }: ProxyRequest): boolean {
  return method === 'GET' && path.includes('/api/v1/tasks/');
}

function onRecords(change: (record: JsonObject) => JsonObject): Mutation {
  return {
    answer: (answer, request) => {
      const record = isRead(request) && answer.status === 200 ? objectIn(answer.body) : null;
      return record === null ? answer : { ...answer, body: Buffer.from(JSON.stringify(change(record))) };
    },
  };
}

/** Issued ids get another wording in rejections than unknown ones. */
function otherWords(): Mutation {
  const issued = new Set<string>();
  return {
    answer: (answer, request) => {
      const body = objectIn(answer.body);
      if (body === null) return answer;
      if (typeof body.task_id === 'string') issued.add(body.task_id);
      const id = isRead(request) ? (request.path.split('/').at(-1) ?? '') : '';
      if (answer.status !== 404 || !issued.has(id) || !isObject(body.error)) return answer;
      const error = { ...body.error, message: 'There is no such task here.' };
      const headers = [...answer.headers, ['x-cache', 'HIT'] as const];
      return { ...answer, headers, body: Buffer.from(JSON.stringify({ ...body, error })) };
    },
  };
}
