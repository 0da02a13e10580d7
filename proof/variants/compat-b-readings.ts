import { objectIn } from '../../suites/rewrite/json.ts';
import type { Mutation, ProxyAnswer, ProxyRequest } from '../../suites/rewrite/mutation.ts';
import type { Variant } from '../edits/mutant.ts';
import { isOneOf, refusalOf } from './requests.ts';
import type { JsonObject } from './rewrite.ts';

/** Gateways that refuse on compat path B what the reference accepts, each in one point that a reading leaves open. */
export const strictOnB: readonly Variant[] = [
  {
    id: 'refuses.streams-on-b',
    title: 'compat path B has no path for streams (B-91)',
    mutation: onB((request) => (request.path.includes(':streamGenerateContent') ? noSuchPath() : request)),
  },
  {
    id: 'refuses.encoded-on-b',
    title: 'a path of compat path B counts as it is written (B-98)',
    mutation: onB((request) => (/%[0-9a-f]{2}/i.test(pathOf(request)) ? noSuchPath() : request)),
  },
  {
    id: 'refuses.unknown-fields-on-b',
    title: 'compat path B takes no field that the protocol lacks (B-92)',
    mutation: refuses((body) => Object.keys(body).find((name) => !isOneOf(name, fields))),
  },
  {
    id: 'refuses.rarer-fields-on-b',
    title: 'compat path B takes no safetySettings, and no model in the body (B-92)',
    mutation: refuses((body) => ['safetySettings', 'model'].find((name) => name in body)),
  },
];

/** Gateways that accept on compat path B what the reference refuses, each in one point that a reading leaves open. */
export const lenientOnB: readonly Variant[] = [
  {
    id: 'accepts.bearer-on-b',
    title: 'a bearer token counts on compat path B where there is no other key (B-96)',
    mutation: onB((request) => {
      const [, value = ''] = request.headers.find(([name]) => name.toLowerCase() === 'authorization') ?? [];
      const [, key] = /^Bearer (.+)$/.exec(value) ?? [];
      if (key === undefined || /[?&]key=/.test(request.path)) return request;
      const mark = request.path.includes('?') ? '&' : '?';
      return { ...request, path: `${request.path}${mark}key=${encodeURIComponent(key)}` };
    }),
  },
];

const fields = [
  'contents',
  'tools',
  'toolConfig',
  'generationConfig',
  'systemInstruction',
  'safetySettings',
  'cachedContent',
  'model',
];

function onB(change: (request: ProxyRequest) => ProxyRequest | ProxyAnswer): Mutation {
  return { request: (request) => (isB(request) ? change(request) : request) };
}

/** Refuses the named member, but only for a caller with a key. */
function refuses(find: (body: JsonObject) => string | undefined): Mutation {
  return onB((request) => {
    const body = /[?&]key=./.test(request.path) ? objectIn(request.body) : null;
    const name = body === null ? undefined : find(body);
    return name === undefined ? request : refusalOf(['invalid_param', name]);
  });
}

/** A condition that the error table does not list (B-03). */
function noSuchPath(): ProxyAnswer {
  const { headers } = refusalOf(['invalid_param', null]);
  const error = {
    type: 'invalid_request_error',
    code: 'not_found',
    message: 'There is nothing here.',
    channel: null,
    param: null,
  };
  return { status: 404, headers, body: Buffer.from(JSON.stringify({ error })) };
}

function isB({ path, method }: ProxyRequest): boolean {
  return method === 'POST' && path.startsWith('/compat-b/');
}

function pathOf({ path }: ProxyRequest): string {
  return path.split('?', 1)[0] ?? '';
}
