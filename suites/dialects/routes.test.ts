import { expect, it } from 'vitest';
import { ownPath } from './routes.ts';

const routes = { '/api/v1': '/v1', '/compat-a/v1': '/v1', '/api/v1/tasks': '/jobs' };

it.each([
  ['/api/v1/models', '/v1/models'],
  ['/api/v1/tasks/one?x', '/jobs/one?x'],
  ['/api/v1', '/v1'],
  ['/compat-a/v1/messages', '/v1/messages'],
  ['/api/v10/models', '/api/v10/models'],
  ['/api/admin', '/api/admin'],
  ['/v1/models', '/api/v1/models'],
  ['/jobs/one', '/api/v1/tasks/one'],
])('%s is %s', (path, own) => {
  expect(ownPath(routes, path)).toBe(own);
});
