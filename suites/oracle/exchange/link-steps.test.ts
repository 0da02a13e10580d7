import { expect, test } from 'vitest';
import { answeredByCode } from '../../testing/sample-exchange.ts';
import type { Exchange } from '../../wire/exchange.ts';
import { callOf } from './call.ts';
import { linkAttempts, type MarkedAttempt } from './link-attempts.ts';
import { jobsOf, linkSteps, type Submitted } from './link-steps.ts';

/** A submission of journey-v7 that was accepted under this id. */
function submitted(id: string, marks: string, fields: object): Submitted {
  const sample = answeredByCode(200);
  const url = 'http://127.0.0.1:1/api/v1/tasks';
  const exchange: Exchange = {
    ...sample,
    request: {
      method: 'POST',
      url,
      headers: [],
      body: Buffer.from(JSON.stringify({ model: 'journey-v7', ...fields })),
    },
    response: sample.response && { ...sample.response, body: Buffer.from(JSON.stringify({ task_id: id })) },
  };
  const call = callOf(exchange);
  if (call === null) throw new Error('a submission is a call');
  return { exchange, call, marks, fromMs: 0, toMs: Number.POSITIVE_INFINITY };
}

function started(job: string, marks: string, parent?: string, task = 'variation'): MarkedAttempt {
  return {
    ...{
      marks,
      channel: 'a',
      path: '/v1/generate',
      isWhole: true,
      status: 200,
      ended: 'complete',
      sends: [],
      credential: '',
    },
    body: Buffer.from(JSON.stringify({ task, ...(parent && { parent }) })),
    answer: Buffer.from(JSON.stringify({ code: 200, data: { taskId: job } })),
    received: { min: 5, max: 5 },
  };
}

const first = submitted('task_1', 'gc1', { prompt: 'gc1' });
const second = submitted('task_2', '', { action: 'variation', index: 2, parent_task_id: 'task_1' });
const third = submitted('task_3', '', { action: 'upscale', index: 2, parent_task_id: 'task_2' });

test('a step without marks has the request that names the job of its parent, over the whole chain', () => {
  const attempts = [started('a', 'gc1'), started('b', '', 'a'), started('c', '', 'b', 'upscale')];
  const linked = linkAttempts([first, second, third], attempts);
  linkSteps(linked, attempts);
  expect([...jobsOf(linked)]).toEqual([
    ['task_1', 'a'],
    ['task_2', 'b'],
    ['task_3', 'c'],
  ]);
});

test('a step whose job went elsewhere, or that has a twin, stays unknown', () => {
  const attempts = [started('a', 'gc1'), started('b', '', 'x')];
  const linked = linkAttempts([first, second], attempts);
  linkSteps(linked, attempts);
  expect(linked.get(second)).toBeNull();
  const twin = submitted('task_4', '', { action: 'variation', index: 3, parent_task_id: 'task_1' });
  const both = [started('a', 'gc1'), started('b', '', 'a'), started('c', '', 'a')];
  const twice = linkAttempts([first, second, twin], both);
  linkSteps(twice, both);
  expect([second, twin].map((one) => twice.get(one))).toEqual([null, null]);
});
