import fc from 'fast-check';
import { defineCheck } from '../../engine/check.ts';
import { bearer } from '../../engine/requests.ts';
import { coreRoutes, otherMethods } from '../../oracle/core-routes.ts';
import { judgeOpenRefusal } from '../../oracle/refusal.ts';
import { must, Violation } from '../../rules/violation.ts';
import { callRoute, routesOf, servedTwin } from '../../steps/routes/call-route.ts';
import { jsonOf, mediaType } from '../../wire/exchange.ts';

const segment = fc
  .string({
    unit: fc.constantFrom(...'abcdefghijklmnopqrstuvwxyz0123456789-._~'),
    minLength: 1,
    maxLength: 10,
  })
  // A proxy may normalize these paths, which makes them different paths.
  .filter((text) => !/^\.{1,2}$/.test(text));

/** Paths below /api/v1 whose first segment is not documented. */
const unknownPaths: fc.Arbitrary<string> = fc
  .array(segment, { minLength: 1, maxLength: 3 })
  .map((parts) => `/api/v1/zz${parts.join('/')}`);

/** Clients request one model below the list. A deployment may add that path, and then must reject other methods on it. */
const oneModel = '/api/v1/models/zzz';
const unknownExamples = ['/api/v1/zzz', '/api/v1/chat', oneModel, '/api/v1/chat/zzz/completions'];

/** Pages that the specification leaves to the deployment. Their answers are only noted. */
const besides = ['/', '/api', '/api/v1', '/api/v1/', '/zzz', '/favicon.ico', '/robots.txt'];

export const routesAreThere = defineCheck({
  id: 'ep.routes.served',
  title: 'every route is at its path below the base URL and answers JSON',
  requirements: ['EP-001', 'EP-003', 'EP-004'],
  kind: 'example',
  needs: [],
  run: async (parts) => {
    for (const route of coreRoutes) {
      parts.cases.count();
      const requirement = route.takes === 'chat' ? 'EP-004' : 'EP-001';
      const rule = { requirement, aspect: 'served' };
      const exchange = await servedTwin(parts, route, parts.keys.K1, rule).catch((error: unknown) => {
        throw ofAnswer(error);
      });
      must(mediaType(exchange) === 'application/json' && jsonOf(exchange) !== undefined, {
        requirement: 'EP-003',
        aspect: 'json-answer',
        expected: 'a JSON body with content type application/json',
        actual: mediaType(exchange) || '(no content type)',
        exchange,
      });
    }
  },
});

/** A list that fails, but not with 404 or 405, exists at its path. Then the rule of the list is violated. */
function ofAnswer(error: unknown): unknown {
  if (!(error instanceof Violation) || error.finding.requirement !== 'EP-001') return error;
  const status = error.finding.exchange?.response?.status ?? 404;
  if (status === 404 || status === 405) return error;
  return new Violation({ ...error.finding, requirement: 'EP-010', aspect: 'answers' });
}

export const unknownPathIsRefused = defineCheck({
  id: 'ep.paths.unknown',
  title: 'an unknown path answers 404 in the error shape, whatever its Accept header',
  requirements: ['EP-014', 'ERR-002'],
  kind: 'property',
  anyProtocol: true,
  needs: [],
  run: async ({ cases, keys, newScene, target, http, judge }) => {
    for (const path of besides) {
      const { response } = await http.get(path, { label: `GET ${path}, beside the interface` });
      judge.note(`GET ${path}, which the interface leaves open: HTTP ${response?.status ?? 'no answer'}`);
    }
    await cases.forAll(
      unknownPaths,
      async (path) => {
        const accepts = [{}, { accept: 'text/html,application/xhtml+xml' }];
        for (const [index, method] of ['GET', 'POST'].entries()) {
          const headers = { ...bearer(keys.K1), ...accepts[index] };
          const body = method === 'POST' ? { body: newScene().minimal(target.anyModel()) } : {};
          const exchange = await http.send({ method, path, headers, label: `${method} ${path}`, ...body });
          const statuses = path === oneModel && method === 'POST' ? [404, 405] : [404];
          judgeOpenRefusal(exchange, { requirement: 'EP-014', aspect: 'unknown-path', statuses });
        }
      },
      { examples: unknownExamples },
    );
  },
});

export const otherMethodsAreRefused = defineCheck({
  id: 'ep.methods.other',
  title: 'a path answers no other method than its own: 404 or 405 in the error shape (reading B-03)',
  requirements: ['EP-013', 'ERR-002'],
  kind: 'example',
  needs: [],
  run: async (parts) => {
    const { keys, cases, target } = parts;
    for (const route of target.few(routesOf(target), ({ method }) => method)) {
      const rule = { requirement: 'EP-013', aspect: 'other-method' };
      const twin = await servedTwin(parts, route, keys.K1, { ...rule, aspect: 'twin-served' });
      for (const method of target.few(otherMethods(route))) {
        cases.count();
        const headers = bearer(keys.K1);
        const label = 'another method';
        // A GET has no body. Other methods send one that is legal on another route.
        const takes = method === 'GET' ? 'nothing' : 'chat';
        const exchange = await callRoute(
          parts,
          { ...route, method: method as 'GET', takes },
          { headers, label },
        );
        judgeOpenRefusal(exchange, { ...rule, statuses: [404, 405], twin });
      }
    }
  },
});
