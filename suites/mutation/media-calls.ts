import { objectIn, type ProxyRequest } from './mutation.ts';
import { authorizationOf, json, pathOf } from './refusal-defects.ts';

/** Gateways with a defect in where pictures and tasks are, who may ask for them, and which models there are. */

export const isImages = (request: ProxyRequest): boolean => pathOf(request) === '/api/v1/images/generations';

export const isRead = (request: ProxyRequest): boolean => pathOf(request).startsWith('/api/v1/tasks/');

export const hasNone = (request: ProxyRequest): boolean => authorizationOf(request).trim() === '';

export const isUnbearable = (request: ProxyRequest): boolean =>
  !hasNone(request) && !/^bearer +\S+$/i.test(authorizationOf(request));

export const modelOf = (request: ProxyRequest): unknown => objectIn(request.body)?.model;

export const task = (): object => ({
  task_id: 'task_of_a_mutant',
  status: 'QUEUED',
  submit_time: new Date().toISOString(),
});

export const taken = json(200, task());
