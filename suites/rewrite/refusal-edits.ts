import { type ErrorCode, errorTable } from '../oracle/error-table.ts';
import { type Body, exactIn, objectIn } from './json.ts';
import { jsonAnswer, type Mutation, type ProxyAnswer, type ProxyRequest } from './mutation.ts';
import { headerOf } from './proxy-headers.ts';

/** Changes to refusals: a missing one, or one that differs from the specification. */

/** A refusal as specified. */
export function refusal(code: ErrorCode, param: string | null = null): ProxyAnswer {
  const { status, type } = errorTable[code];
  const error = { type, code, message: 'Refused.', channel: null, param };
  return jsonAnswer(status, { error });
}

/** Serves all requests that meet a condition. */
export function serves(when: (request: ProxyRequest) => boolean): Mutation {
  return { request: (request) => (when(request) ? completion(request) : request) };
}

/** Sends this answer to the requests that meet a condition. */
export function says(when: (request: ProxyRequest) => boolean, answer: ProxyAnswer): Mutation {
  return { request: (request) => (when(request) ? answer : request) };
}

/** Serves the requests that the gateway refuses with this code, if they meet the condition. */
export function pardons(code: ErrorCode, when: (request: ProxyRequest) => boolean = () => true): Mutation {
  return {
    answer: (answer, request) => (codeOf(answer) === code && when(request) ? completion(request) : answer),
  };
}

/** Changes error answers: the error object in place, the status by the returned number. */
export function inErrors(
  edit: (error: Body, answer: ProxyAnswer, request: ProxyRequest) => unknown,
): Mutation {
  return {
    answer: (answer, request) => {
      const body = exactIn(answer.body);
      const error = body === null ? null : errorIn(body);
      if (error === null) return answer;
      const status = edit(error, answer, request);
      return {
        ...answer,
        status: typeof status === 'number' ? status : answer.status,
        body: Buffer.from(JSON.stringify(body)),
      };
    },
  };
}

/** Replaces the code of a refusal by another code, with its status and type. */
export function miscalls(code: ErrorCode, other: ErrorCode): Mutation {
  return inErrors((error) => {
    if (error.code !== code) return undefined;
    const { status, type } = errorTable[other];
    Object.assign(error, { code: other, type, param: null, channel: null });
    return status;
  });
}

/** A whole completion that no upstream produced, with the model of the request. */
export function completion(request: ProxyRequest): ProxyAnswer {
  const { model = 'delta-3' } = objectIn(request.body) ?? {};
  const body = {
    id: 'chatcmpl-mutant',
    object: 'chat.completion',
    created: Math.floor(Date.now() / 1_000),
    model,
    choices: [{ index: 0, message: { role: 'assistant', content: 'Hello.' }, finish_reason: 'stop' }],
    usage: { prompt_tokens: 5, completion_tokens: 1, total_tokens: 6 },
  };
  return jsonAnswer(200, body);
}

export function codeOf(answer: ProxyAnswer): string | null {
  const error = errorIn(objectIn(answer.body) ?? {});
  return typeof error?.code === 'string' ? error.code : null;
}

export function authorizationOf(request: ProxyRequest): string {
  return headerOf(request.headers, 'authorization');
}

export const hasNoKey = (request: ProxyRequest): boolean => authorizationOf(request).trim() === '';

export function isReading(request: ProxyRequest): boolean {
  return request.method === 'GET' && pathOf(request) === '/api/v1/models';
}

export function pathOf(request: ProxyRequest): string {
  return request.path.split('?', 1)[0] ?? '';
}

function errorIn(body: Body): Body | null {
  const { error } = body;
  return error !== null && typeof error === 'object' && !Array.isArray(error) ? (error as Body) : null;
}
