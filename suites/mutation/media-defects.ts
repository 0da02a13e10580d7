import type { Body } from './defects.ts';
import { type Mutation, objectIn, type ProxyAnswer, type ProxyRequest } from './mutation.ts';
import { json, pathOf } from './refusal-defects.ts';

/** Ways to be wrong about pictures and tasks. */

export const isImagesCall = (request: ProxyRequest): boolean =>
  request.method === 'POST' && pathOf(request) === '/api/v1/images/generations';
export const isSubmit = (request: ProxyRequest): boolean =>
  request.method === 'POST' && pathOf(request) === '/api/v1/tasks';
export const isTaskRead = (request: ProxyRequest): boolean =>
  request.method === 'GET' && pathOf(request).startsWith('/api/v1/tasks/');

type Edit = (answer: Body, request: ProxyRequest) => unknown;

/** Changes good answers of one kind of call; what is returned, when it is a number, is the status. */
function inAnswers(isSuch: (request: ProxyRequest) => boolean, edit: Edit): Mutation {
  return {
    answer: (answer, request) => {
      const body = isSuch(request) && answer.status === 200 ? objectIn(answer.body) : null;
      if (body === null) return answer;
      const status = edit(body, request);
      return {
        ...answer,
        status: typeof status === 'number' ? status : 200,
        body: Buffer.from(JSON.stringify(body)),
      };
    },
  };
}

export const inImages = (edit: Edit): Mutation => inAnswers(isImagesCall, edit);
export const inSubmitted = (edit: Edit): Mutation => inAnswers(isSubmit, edit);
export const inRecords = (edit: Edit): Mutation => inAnswers(isTaskRead, edit);

/** Changes each element of `data`. */
export function inPictures(edit: (picture: Body) => void): Mutation {
  return inImages((answer) => {
    for (const picture of answer.data as Body[]) edit(picture);
  });
}

/** Changes bodies of one kind of call on their way in. */
export function inBodies(isSuch: (request: ProxyRequest) => boolean, edit: (body: Body) => void): Mutation {
  return {
    request: (request) => {
      const body = isSuch(request) ? objectIn(request.body) : null;
      if (body === null) return request;
      edit(body);
      return { ...request, body: Buffer.from(JSON.stringify(body)) };
    },
  };
}

/** Answers what the gateway refuses with one of these statuses as if it had taken a task on. */
export function takesOn(when: (request: ProxyRequest, answer: ProxyAnswer) => boolean): Mutation {
  return {
    answer: (answer, request) => {
      if (!isSubmit(request) || answer.status < 400 || !when(request, answer)) return answer;
      const submit_time = new Date().toISOString();
      return json(200, { task_id: 'task_mutant', status: 'QUEUED', submit_time });
    },
  };
}

/** Answers what the gateway refuses on the images path as if it had drawn. */
export function drawsAnyway(when: (request: ProxyRequest) => boolean): Mutation {
  return {
    answer: (answer, request) =>
      isImagesCall(request) && answer.status >= 400 && when(request)
        ? json(200, { created: Math.floor(Date.now() / 1_000), data: [{ url: 'https://x.example/a.png' }] })
        : answer,
  };
}

export function modelOf(request: ProxyRequest): string {
  const { model } = objectIn(request.body) ?? {};
  return typeof model === 'string' ? model : '';
}
