import { objectIn } from '../../suites/rewrite/json.ts';
import type { Mutation, ProxyRequest } from '../../suites/rewrite/mutation.ts';
import type { Variant } from '../edits/mutant.ts';
import { type Refusal, refusalOf } from './requests.ts';
import { isObject, type JsonObject } from './rewrite.ts';

/**
 * Gateways that refuse on compat path A what the reference accepts, each in one point that a reading leaves
 * open.
 */
export const strictOnA: readonly Variant[] = [
  {
    id: 'refuses.streams-on-a',
    title: 'compat path A does not stream (B-91)',
    mutation: refuses(({ stream }) => (stream === true ? ['invalid_param', 'stream'] : null)),
  },
  {
    id: 'refuses.unknown-fields-on-a',
    title: 'compat path A takes no field that the protocol lacks (B-92)',
    mutation: refuses((body) => {
      const name = Object.keys(body).find((one) => one.startsWith('x_unknown'));
      return name === undefined ? null : ['invalid_param', name];
    }),
  },
  {
    id: 'refuses.rarer-fields-on-a',
    title: 'compat path A takes few native fields beside the required ones (B-92)',
    mutation: refuses((body) => {
      const name = ['top_k', 'thinking', 'service_tier', 'metadata'].find((one) => one in body);
      return name === undefined ? null : ['invalid_param', name];
    }),
  },
  {
    id: 'refuses.role-system-on-a',
    title: 'compat path A knows no role system (B-93)',
    mutation: refuses(({ messages }) =>
      (Array.isArray(messages) ? (messages as unknown[]) : []).some(
        (one) => isObject(one) && one.role === 'system',
      )
        ? ['invalid_param', 'messages']
        : null,
    ),
  },
  {
    id: 'refuses.other-versions',
    title: 'compat path A has one version (B-94)',
    mutation: refuses((_, request) =>
      headerIn(request, 'compat-a-version') === '2023-06-01' ? null : ['invalid_param', 'compat-a-version'],
    ),
  },
  {
    id: 'ignores.bearer-on-a',
    title: 'a bearer token does not count on compat path A (B-96)',
    mutation: onA((request) => ({
      ...request,
      headers: request.headers.filter(([name]) => name.toLowerCase() !== 'authorization'),
    })),
  },
];

/**
 * Gateways that accept on compat path A what the reference refuses, each in one point that a reading leaves
 * open.
 */
export const lenientOnA: readonly Variant[] = [
  {
    id: 'accepts.no-max-tokens-on-a',
    title: 'max_tokens has a default on compat path A (B-92)',
    mutation: onA((request) => {
      const body = objectIn(request.body);
      if (body === null || (body.max_tokens ?? null) !== null) return request;
      return { ...request, body: Buffer.from(JSON.stringify({ ...body, max_tokens: 1_024 })) };
    }),
  },
  {
    id: 'accepts.bare-turns-on-a',
    title: 'compat path A takes turns without content, and results without a call (B-22, B-24)',
    mutation: onA((request) => {
      const text = request.body.toString('utf8');
      const filled = text
        .replaceAll(/"content":\s*(?:""|\[\])/g, '"content":"."')
        .replaceAll(/\{"type":"tool_result","tool_use_id":"toolu_none","content":"x"\},/g, '');
      return filled === text ? request : { ...request, body: Buffer.from(filled) };
    }),
  },
  {
    id: 'accepts.any-version',
    title: 'compat path A accepts any version (B-94)',
    mutation: onA((request) => ({
      ...request,
      headers: [
        ...request.headers.filter(([name]) => name.toLowerCase() !== 'compat-a-version'),
        ['compat-a-version', '2023-06-01'],
      ],
    })),
  },
];

function onA(change: (request: ProxyRequest) => ProxyRequest): Mutation {
  return { request: (request) => (isA(request) ? change(request) : request) };
}

/**
 * Replaces an unsupported request by a plain one and refuses the answer. Any other error of the request, first
 * of all its key, is thus reported first.
 */
function refuses(verdict: (body: JsonObject, request: ProxyRequest) => Refusal | null): Mutation {
  const mark = 'x-refused-param';
  return {
    request: (request) => {
      const body = isA(request) ? objectIn(request.body) : null;
      const [, param] = (body === null ? null : verdict(body, request)) ?? [];
      if (param === undefined || param === null) return request;
      const text = request.body.toString('utf8').replace(/"stream":\s*true/, '"stream":false');
      return { ...request, headers: [...request.headers, [mark, param]], body: Buffer.from(text) };
    },
    answer: (answer, request) => {
      const param = headerIn(request, mark);
      return answer.status === 200 && param !== null ? refusalOf(['invalid_param', param]) : answer;
    },
  };
}

function isA({ path, method }: ProxyRequest): boolean {
  return method === 'POST' && path.startsWith('/compat-a/');
}

function headerIn({ headers }: ProxyRequest, wanted: string): string | null {
  return headers.find(([name]) => name.toLowerCase() === wanted)?.[1] ?? null;
}
