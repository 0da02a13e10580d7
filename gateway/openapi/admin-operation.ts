import type { z } from 'zod';
import type { ErrorCode } from '../errors/codes.ts';
import type { Components, JsonSchema } from './components.ts';
import type { Operation, Parameter } from './operation.ts';
import type { RouteDescription } from './route-description.ts';

const anywhere: readonly ErrorCode[] = [
  ...(['admin_token_required', 'invalid_api_key', 'sk_disabled', 'sk_expired'] as const),
  ...(['invalid_param', 'method_not_allowed', 'headers_too_large', 'internal_error'] as const),
];

/** Describes a route of the administrators as an operation of the document. */
export function adminOperation(route: RouteDescription, components: Components): Operation {
  const { method, summary, query, body, answer, status = 200 } = route;
  const names = route.path.split('/').filter((part) => part.startsWith(':'));
  const path = route.path.replaceAll(/:(\w+)/g, '{$1}');
  return {
    method: method.toLowerCase(),
    path,
    id: idOf(method, route.path),
    tag: 'admin',
    summary,
    security: ['adminToken'],
    parameters: [
      ...names.map((name): Parameter => ({ ...inPath, name: name.slice(1) })),
      ...(query === undefined ? [] : queryParameters(query, components)),
    ],
    body: body === undefined ? null : [body],
    answer: { status, description: 'Done.', json: answer },
    errors: [
      ...anywhere,
      ...(names.length > 0 ? (['not_found'] as const) : []),
      ...(body === undefined ? [] : (['request_timeout', 'payload_too_large'] as const)),
    ],
    errorShape: 'Error',
  };
}

const inPath = { in: 'path', required: true, schema: { type: 'string' } } as const;

/** `GET /api/admin/accounts/:account/users` is `getAccountsByAccountUsers`. */
function idOf(method: string, path: string): string {
  const parts = path.replace('/api/admin/', '').split(/[/.-]/);
  const words = parts.map((part) => (part.startsWith(':') ? `By${capital(part.slice(1))}` : capital(part)));
  return `${method.toLowerCase()}${words.join('')}`;
}

function capital(word: string): string {
  return word.slice(0, 1).toUpperCase() + word.slice(1);
}

function queryParameters(query: z.ZodType, components: Components): Parameter[] {
  const { properties = {}, required = [], additionalProperties: others } = components.write(query, 'input');
  const named = Object.entries(properties).map(([name, schema]): Parameter => {
    const { description, ...rest }: JsonSchema = typeof schema === 'boolean' ? {} : schema;
    return {
      name,
      in: 'query',
      required: required.includes(name),
      schema: rest,
      ...(description !== undefined && { description }),
    };
  });
  if (typeof others !== 'object') return named;
  // An exploded object is one parameter per member.
  const { description, ...member } = others;
  const schema = { type: 'object', additionalProperties: member } as const;
  return [
    ...named,
    { name: 'others', in: 'query', required: false, style: 'form', explode: true, schema, description },
  ];
}
