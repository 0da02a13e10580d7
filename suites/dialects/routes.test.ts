import { expect, it } from 'vitest';
import { ownPath, ownTaskPath, specifiedTaskPath } from './routes.ts';

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
])('maps %s to %s', (path, own) => {
  expect(ownPath(routes, path)).toBe(own);
});

it.each([
  ['/api/v1/tasks?a', '/go?a'],
  ['/api/v1/tasks/x', '/q?id=x&full'],
  ['/api/v1/tasks/x?b=1', '/q?id=x&full&b=1'],
  ['/api/v1/tasksx', null],
])('maps the task path %s to %s, and back', (path, own) => {
  const places = { submit: '/go', read: '/q?id={id}&full' };
  expect(ownTaskPath(places, path)).toBe(own);
  if (own !== null) expect(specifiedTaskPath(places, own)).toBe(path);
});

const deployments = {
  '/api/v1': '/openai?version=1',
  '/api/v1/chat/completions': '/openai/deployments/{model}/chat/completions?version=1',
};

it.each([
  ['/api/v1/models?a=1', '/openai/models?version=1&a=1'],
  ['/api/v1/chat/completions', '/openai/deployments/{model}/chat/completions?version=1'],
  ['/openai/models', '/openai/models'],
])('a route may have a fixed query and a model: %s is %s', (path, own) => {
  expect(ownPath(deployments, path)).toBe(own);
});

it('swaps a path without a prefix with ours where the deployment has none', () => {
  const bare = { '/api/v1': '' };
  expect(ownPath(bare, '/chat/completions')).toBe('/api/v1/chat/completions');
  expect(ownPath(bare, '/api/v1/chat/completions')).toBe('/chat/completions');
  expect(ownPath(bare, '/v1/chat/completions')).toBe('/v1/chat/completions');
});
