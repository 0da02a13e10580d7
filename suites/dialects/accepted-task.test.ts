import { expect, it } from 'vitest';
import { dialect } from '../profile/dialect.ts';
import { acceptedTask } from './accepted-task.ts';

const own = dialect.parse({
  tasks: {
    ...{ submit: '/v1/jobs', read: '/v1/jobs/{id}', accepted: 303 },
    states: { QUEUED: ['waiting', 'held'] },
  },
  fields: { tasks: { answer: { task_id: 'job.id', status: 'job.phase' } } },
});
const submit = { method: 'POST', path: '/api/v1/tasks' };
const answer = (status: number, body: string, location = 'http://gw/v1/jobs/j-7') => ({
  status,
  headers: [['location', location]] as const,
  body: Buffer.from(body),
});

it('a submission that is accepted by another status is accepted, with its own body', () => {
  const said = acceptedTask(answer(303, '{"job":{"id":"j-7"}}'), submit, own);
  expect([said.status, said.body.toString()]).toEqual([202, '{"job":{"id":"j-7"}}']);
});

it('without a body, Location has the id of the task', () => {
  const said = acceptedTask(answer(303, ''), submit, own);
  expect(JSON.parse(said.body.toString())).toEqual({ job: { id: 'j-7', phase: 'waiting' } });
  expect(acceptedTask(answer(303, '', '/elsewhere/7'), submit, own).body).toHaveLength(0);
});

it.each([
  ['another status', answer(404, ''), submit],
  ['another route', answer(303, ''), { method: 'POST', path: '/api/v1/chat/completions' }],
  ['a read', answer(303, ''), { method: 'GET', path: '/api/v1/tasks/j-7' }],
])('leaves %s as it is', (_, given, request) => {
  expect(acceptedTask(given, request, own)).toBe(given);
});
