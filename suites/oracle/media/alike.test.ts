import { expect, it } from 'vitest';
import { answeredWith } from '../../testing/sample-exchange.ts';
import { type Answered, differences } from './alike.ts';

let requests = 0;

function refusal(id: string, message: string, headers: [string, string][] = [], status = 404): Answered {
  requests += 1;
  const exchange = answeredWith(...headers, ['x-request-id', `req-${requests}`]);
  const error = { code: 'task_not_found', message, request_id: `req-${requests}` };
  const response = { ...exchange.response, status, body: Buffer.from(JSON.stringify({ error })) };
  return { id, exchange: { ...exchange, response: response as NonNullable<typeof exchange.response> } };
}

const controls = (): [Answered, Answered] => [refusal('a', 'There is no a.'), refusal('b', 'There is no b.')];

it('answers are equal when only request ids and their own id differ', () => {
  expect(differences(refusal('c', 'There is no c.'), refusal('d', 'There is no d.'), controls())).toEqual([]);
});

it.for<[string, Answered]>([
  ['body.error.message', refusal('c', 'It is not yours.')],
  ['status', refusal('c', 'There is no c.', [], 403)],
  ['x-owner', refusal('c', 'There is no c.', [['x-owner', 'acc']])],
])('a difference in %s is found', ([name, other]) => {
  const found = differences(other, refusal('d', 'There is no d.'), controls());
  expect(found.map((line) => line.split(':')[0])).toEqual([name]);
});
