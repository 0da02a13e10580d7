import { chatCatalogue } from '../../oracle/chat-catalogue.ts';
import { type Body, objectIn, objectsIn } from '../../rewrite/json.ts';
import { editAnswer, editChunks, type Mutation, type ProxyRequest } from '../../rewrite/mutation.ts';
import { headerOf, withoutHeaders } from '../../rewrite/proxy-headers.ts';
import { hasNoKey, inErrors, refusal } from '../../rewrite/refusal-edits.ts';
import { isJsonObject } from '../../values/json.ts';
import type { Given } from '../deviation.ts';

/** A gateway with one deviation of the catalogue. */
export interface Deviating {
  readonly id: string;
  /** Its value in a profile. */
  readonly given?: Given;
  readonly mutation: Mutation;
}

/** Each deviation of the catalogue, as a gateway shows it. */
export const deviating: readonly Deviating[] = [
  { id: 'dated-model-names', mutation: renamed((model) => `${model}-2026-08-07`) },
  {
    id: 'other-model-names',
    given: Object.fromEntries(chatCatalogue.map(({ id }) => [id, `vendor/${id}`])),
    mutation: renamed((model) => `vendor/${model}`),
  },
  {
    id: 'finish-reasons',
    given: { end_turn: 'stop', tool_use: 'tool_calls' },
    mutation: inBoth((body) => {
      for (const choice of objectsIn(body.choices))
        choice.finish_reason =
          { stop: 'end_turn', tool_calls: 'tool_use' }[`${choice.finish_reason}`] ?? choice.finish_reason;
    }),
  },
  {
    id: 'task-states',
    given: { queued: 'QUEUED', in_progress: 'RUNNING', completed: 'SUCCESS', failed: 'FAILED' },
    mutation: {
      answer: editAnswer((body) => {
        const words = { QUEUED: 'queued', RUNNING: 'in_progress', SUCCESS: 'completed', FAILED: 'failed' };
        if (body.task_id !== undefined) body.status = { ...words }[`${body.status}`] ?? body.status;
      }),
    },
  },
  {
    id: 'no-done',
    mutation: { events: () => (event) => (event === null || event === 'data: [DONE]' ? [] : [event]) },
  },
  {
    id: 'null-members',
    mutation: {
      events: editChunks((chunk) => {
        for (const { delta } of objectsIn(chunk.choices))
          if (isJsonObject(delta)) Object.assign(delta, { role: null });
        return [chunk];
      }),
    },
  },
  {
    id: 'usage-on-request',
    mutation: {
      events: (request) => {
        const options = objectIn(request.body)?.stream_options;
        const asks = isJsonObject(options) && options.include_usage === true;
        return editChunks((chunk) => {
          const { usage: _, ...rest } = chunk;
          return [chunk.object === undefined || asks ? chunk : rest];
        })();
      },
    },
  },
  {
    id: 'path-prefix',
    given: '/openai/v1',
    mutation: {
      request: (request) => {
        const { path } = request;
        if (path.startsWith('/openai/v1/')) return { ...request, path: path.replace('/openai', '/api') };
        return path.startsWith('/api/v1') ? { ...request, path: `/nothing${path}` } : request;
      },
    },
  },
  {
    id: 'error-member',
    given: 'metadata',
    mutation: inErrors((error, _, request) => {
      error.metadata = { raw: `upstream said no to ${request.path}` };
    }),
  },
  {
    id: 'answer-headers',
    given: ['X-Upstream-Said'],
    mutation: {
      answer: (answer) => ({ ...answer, headers: [...answer.headers, ['X-Upstream-Said', 'no']] }),
      streamHead: (head) => ({ ...head, headers: [...head.headers, ['x-upstream-said', 'yes']] }),
    },
  },
  {
    id: 'request-headers',
    given: { 'X-Organisation': 'acme' },
    mutation: {
      request: (request) =>
        hasNoKey(request) || isCompat(request) || headerOf(request.headers, 'x-organisation') === 'acme'
          ? { ...request, headers: withoutHeaders(request.headers, 'x-organisation') }
          : refusal('invalid_api_key'),
    },
  },
  {
    id: 'lacking-members',
    given: ['object', 'model'],
    mutation: inBoth((body) => {
      delete body.object;
      delete body.model;
    }),
  },
];

const isCompat = ({ path }: ProxyRequest): boolean => path.startsWith('/compat-');

function renamed(named: (model: string) => string): Mutation {
  return inBoth((body) => {
    body.model = named(String(body.model));
  });
}

/** A change to the answers of chats and to each chunk of their streams. */
function inBoth(change: (body: Body) => void): Mutation {
  const edit = (body: Body): void => {
    if (typeof body.object === 'string' && body.object.startsWith('chat.completion')) change(body);
  };
  return {
    answer: editAnswer(edit),
    events: editChunks((chunk) => {
      edit(chunk);
      return [chunk];
    }),
  };
}
