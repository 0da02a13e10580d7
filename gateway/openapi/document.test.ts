import { describe, expect, it } from 'vitest';
import { adminRoutes } from '../endpoints/admin/routes.ts';
import { errorTable } from '../errors/codes.ts';
import { allBusinessRoutes } from '../testing/business-routes.ts';
import { fits, resolve } from '../testing/json-schema.ts';
import { openApiDocument } from './document.ts';

// biome-ignore lint/suspicious/noExplicitAny: the tests look at arbitrary members of the document.
type Json = any;

const document: Json = JSON.parse(JSON.stringify(openApiDocument(adminRoutes)));
const operations: [string, Json][] = Object.entries<Json>(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]): [string, Json] => [
    `${method.toUpperCase()} ${path}`,
    operation,
  ]),
);

/** Every object in the document, with the way to it. */
function nodesIn(node: Json, way: string[] = []): { node: Json; way: string[] }[] {
  if (typeof node !== 'object' || node === null) return [];
  return [{ node, way }, ...Object.entries(node).flatMap(([name, inner]) => nodesIn(inner, [...way, name]))];
}

/** The operations that the document should have for a route. */
function documented(path: string, methods: readonly string[]): string[] {
  const names = path.includes('compat-b')
    ? ['generateContent', 'streamGenerateContent'].map(
        (method) => `/compat-b/v1beta/models/{model}:${method}`,
      )
    : [path.replaceAll(/:(\w+)/g, '{$1}')];
  return names.flatMap((name) => methods.map((method) => `${method} ${name}`));
}

describe('the OpenAPI document', () => {
  it('is of version 3.1 and has a title and a version', () => {
    expect(document.openapi).toBe('3.1.0');
    expect(document.info).toMatchObject({ title: expect.any(String), version: expect.any(String) });
  });

  it('has an operation for exactly every route and method', () => {
    const routes = [
      ...allBusinessRoutes.flatMap(({ path, endpoints }) => documented(path, Object.keys(endpoints))),
      ...adminRoutes.flatMap(({ path, method }) => documented(path, [method])),
    ];
    expect(operations.map(([name]) => name).toSorted()).toEqual(routes.toSorted());
  });

  it('has no dangling reference and no unused schema', () => {
    const nodes = nodesIn(document);
    const refs = nodes.flatMap(({ node }) => (typeof node.$ref === 'string' ? [node.$ref] : []));
    for (const ref of refs) expect(() => resolve(ref, document)).not.toThrow();
    const named = Object.keys(document.components.schemas).map((name) => `#/components/schemas/${name}`);
    expect(named.filter((ref) => !refs.includes(ref))).toEqual([]);
  });

  it('gives every operation a unique id', () => {
    const ids = operations.map(([, { operationId }]) => operationId);
    expect(new Set(ids).size).toBe(ids.length);
    for (const id of ids) expect(id).toMatch(/^[a-zA-Z]+$/);
  });

  it.for(operations)('describes %s completely', ([name, operation]) => {
    expect(operation.summary).toMatch(/^[A-Z].*\.$/);
    expect(document.tags.map((tag: Json) => tag.name)).toEqual(expect.arrayContaining(operation.tags));
    expect(operation.security).not.toEqual([]);
    for (const scheme of operation.security.flatMap(Object.keys))
      expect(document.components.securitySchemes).toHaveProperty([scheme]);
    const inPath = [...name.matchAll(/\{(\w+)\}/g)].map(([, parameter]) => parameter);
    const parameters: Json[] = operation.parameters ?? [];
    expect(parameters.filter((one) => one.in === 'path').map((one) => one.name)).toEqual(inPath);
    for (const one of parameters) {
      expect(one).toMatchObject({
        name: expect.any(String),
        in: expect.any(String),
        schema: expect.any(Object),
      });
      expect(one.in !== 'path' || one.required).toBe(true);
    }
    expect(new Set(parameters.map((one) => `${one.in} ${one.name}`)).size).toBe(parameters.length);
    expect(/^(?:POST|PUT|PATCH)/.test(name) || operation.requestBody === undefined).toBe(true);
  });

  it.for(operations)('lists all answers of %s, with each code under its own status', ([, operation]) => {
    const statuses = Object.keys(operation.responses);
    expect(statuses.filter((status) => /^2/.test(status))).toHaveLength(1);
    expect(statuses).toEqual(expect.arrayContaining(['401', '500']));
    for (const [status, response] of Object.entries<Json>(operation.responses)) {
      expect(response.description).not.toBe('');
      if (status.startsWith('2')) {
        expect(Object.keys(response.content)).not.toEqual([]);
        continue;
      }
      const { $ref } = response.content['application/json'].schema;
      expect($ref).toMatch(/Error$/);
      const codes = [...response.description.matchAll(/([a-z_]+): /g)].map(([, code]) => code);
      expect(codes).not.toEqual([]);
      for (const code of codes)
        expect(String(errorTable[code as keyof typeof errorTable].status)).toBe(status);
    }
  });

  it('uses only known schema keywords, and no local definitions', () => {
    for (const schema of Object.values(document.components.schemas))
      for (const value of [null, {}, [], '', 0, true])
        expect(() => fits(schema, value, document)).not.toThrow();
    const own = nodesIn(document).filter(({ node }) => typeof node.$defs === 'object');
    expect(own).toEqual([]);
  });

  it('does not mention the test hooks', () => {
    expect(JSON.stringify(document)).not.toContain('/hooks/');
  });
});
