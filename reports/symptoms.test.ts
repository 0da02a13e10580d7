import { expect, it } from 'vitest';
import { groupByCause } from './causes.ts';
import type { CheckResult } from './report.ts';
import { wrongParam } from './testing/sample-failures.ts';
import { sampleReport } from './testing/sample-report.ts';

interface Seen {
  readonly id: string;
  readonly rule?: string;
  readonly path?: string;
  readonly status?: number;
  readonly error?: object;
  readonly expected?: string;
}

function failed({
  id,
  rule = id,
  path = '/api/v1/chat/completions',
  status = 500,
  error = { code: 'internal_error', param: null },
  expected = 'HTTP 200 with a completion',
}: Seen): CheckResult {
  const [sample] = sampleReport().checks;
  const failure = structuredClone(wrongParam);
  const { exchange } = failure;
  if (sample === undefined || exchange?.response == null) throw new Error('the sample lacks an exchange');
  exchange.request.url = `https://gateway.example.test${path}`;
  exchange.response.status = status;
  exchange.response.body = JSON.stringify({ error });
  const own = { requirement: rule, aspect: 'served', expected, actual: `HTTP ${status}: …` };
  return { ...sample, id, verdict: 'fail', failure: { ...failure, ...own } };
}

const causes = (...checks: CheckResult[]): string[] =>
  groupByCause(checks)
    .map(({ representative, others }) =>
      [representative, ...others]
        .map(({ id }) => id)
        .sort()
        .join(' '),
    )
    .sort();

const routes = ['/api/v1/models', '/api/v1/images/generations', '/api/v1/tasks', '/api/v1/tasks/t_1'];

it('groups the same unexpected error on one route, whatever rules it breaks', () => {
  const other = { code: 'upstream_error', param: null };
  expect(
    causes(failed({ id: 'a' }), failed({ id: 'b' }), failed({ id: 'c', status: 502, error: other })),
  ).toEqual(['a b', 'c']);
});

it('separates the same error on two routes, but groups an error that occurs everywhere', () => {
  const some = routes.slice(0, 2).map((path, place) => failed({ id: `r${place}`, path }));
  expect(causes(...some)).toEqual(['r0', 'r1']);
  expect(causes(...routes.map((path, place) => failed({ id: `r${place}`, path })))).toEqual(['r0 r1 r2 r3']);
});

it('groups a field that is rejected everywhere, and separates rejections without a field', () => {
  const refused = (param: string | null) => ({ status: 400, error: { code: 'invalid_param', param } });
  expect(
    causes(
      failed({ id: 'a', ...refused('stop') }),
      failed({ id: 'b', path: '/api/v1/tasks', ...refused('stop') }),
      failed({ id: 'c', ...refused('seed') }),
      failed({ id: 'd', ...refused(null) }),
      failed({ id: 'e', ...refused(null) }),
    ),
  ).toEqual(['a b', 'c', 'd', 'e']);
});

it('keeps expected errors separate by the rule that they break', () => {
  const expected = '500 internal_error with a message';
  expect(causes(failed({ id: 'a', expected }), failed({ id: 'b', expected }))).toEqual(['a', 'b']);
});

it('groups refusals that name the model of their request', () => {
  const refused = (id: string, model: string, message: string): CheckResult => {
    const check = failed({ id, status: 400, error: { code: null, message } });
    const { request } = check.failure?.exchange ?? {};
    if (request !== undefined) request.body = JSON.stringify({ model });
    return check;
  };
  const why = "route 'own-1' has no provider";
  expect(
    causes(refused('a', 'own-1', why), refused('b', 'own-1', why), refused('c', 'own-2', 'No.')),
  ).toEqual(['a b', 'c']);
});

it('groups the same page of a server on all routes', () => {
  const page = (id: string, path: string, title: string): CheckResult => {
    const check = failed({ id, path, status: 400 });
    const response = check.failure?.exchange?.response;
    if (response != null) response.body = `<!DOCTYPE HTML>\n<html><title>${title}</title>${id}</html>`;
    return check;
  };
  const [one, other] = ['/api/v1/models', '/api/v1/tasks'] as const;
  expect(causes(page('a', one, 'Error'), page('b', other, 'Error'), page('c', one, 'Login'))).toEqual([
    'a b',
    'c',
  ]);
});

it('groups a condition that three rules find served', () => {
  const served = (id: string, expected: string) => failed({ id, status: 200, error: {}, expected });
  const long = '400 context_too_long';
  expect(causes(served('a', long), served('b', long), served('x', '400 invalid_param'))).toEqual([
    'a',
    'b',
    'x',
  ]);
  expect(
    causes(
      served('a', long),
      served('b', long),
      served('c', long),
      served('d', '400 unsupported_capability'),
    ),
  ).toEqual(['a b c', 'd']);
});

it('lists a check once for each of its failures', () => {
  const { failure, ...check } = failed({ id: 'a', status: 200, rule: 'R-1' });
  if (failure === undefined) throw new Error('the check has no failure');
  const both = { ...check, failure, also: [{ ...failure, requirement: 'R-2' }] };
  expect(causes(both, failed({ id: 'b', status: 200, rule: 'R-2' }))).toEqual(['a', 'a b']);
});
