import { z } from 'zod';
import { toJsonSchema } from '../schemas/to-json-schema.ts';
import type { Route } from './route.ts';

const errorBody = z.strictObject({
  error: z.strictObject({ message: z.string(), path: z.string().exactOptional() }),
});

/** The OpenAPI 3.1 document of the routes. */
export function openApi(routes: readonly Route[]): object {
  const paths: Record<string, Record<string, object>> = {};
  for (const route of routes) {
    paths[route.path] = { ...paths[route.path], [route.method.toLowerCase()]: operationOf(route) };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Control API of the simulated providers',
      version: '1',
      description:
        'Scripts, faults, scenarios, jobs, the journal and the clock. A refusal names the bad member.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: 'http://127.0.0.1:9401' }],
    security: [{}, { token: [] }],
    paths,
    components: {
      securitySchemes: { token: { type: 'http', scheme: 'bearer' } },
      schemas: { Error: toJsonSchema(errorBody, 'output') },
    },
  };
}

function operationOf({ method, path, summary, body, query, answer }: Route): object {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  const inPath = names.map((name) => ({ name, in: 'path', required: true, schema: { type: 'string' } }));
  const { properties = {} } =
    query === undefined ? {} : (toJsonSchema(query, 'input') as { properties?: object });
  const inQuery = Object.entries(properties).map(([name, schema]) => ({ name, in: 'query', schema }));
  const parameters = [...inPath, ...inQuery];
  const content =
    answer === undefined ? {} : { 'application/json': { schema: toJsonSchema(answer, 'output') } };
  const refused = { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } };
  return {
    operationId: operationId(method, path),
    summary,
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(body === undefined
      ? {}
      : { requestBody: { content: { 'application/json': { schema: toJsonSchema(body, 'input') } } } }),
    responses: {
      200: { description: 'Done.', content },
      '4XX': { description: 'Refused: one sentence, and the path of the bad member.', content: refused },
    },
  };
}

/** `postTenantsScripts` */
function operationId(method: string, path: string): string {
  const words = path.split('/').filter((word) => word !== '');
  const named = words.map((word) => (word.startsWith('{') ? (word === '{tenant}' ? '' : 'one') : word));
  const camel = named.join('-').replaceAll(/[-.]+(\w?)/g, (_, letter: string) => letter.toUpperCase());
  return `${method.toLowerCase()}${camel.charAt(0).toUpperCase()}${camel.slice(1)}`;
}
