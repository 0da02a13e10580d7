import { expect, it } from 'vitest';
import { failureIn, outputsIn, stateOf } from './job-words.ts';

const link = 'https://files.example.com/a.mp4';
const other = 'https://files.example.com/b.mp4';
const one = [{ url: link, durationSec: null }];

it.for<[place: string, record: Record<string, unknown>, outputs: unknown]>([
  ['a link', { output: link }, one],
  ['a list of links', { output: [link, other] }, [...one, { url: other, durationSec: null }]],
  ['a length as text', { output: { url: link, seconds: '4.6' } }, [{ url: link, durationSec: 5 }]],
  ['a medium', { output: { video: { url: link } } }, one],
  ['another name of the link', { output: [{ video_url: link }] }, one],
  ['a result', { output: null, result: { videos: [{ url: link }] } }, one],
  ['data within data', { data: { task_result: { videos: [{ id: 1, url: link }] } } }, one],
  ['one link twice', { results: [{ url: link }, { url: link }] }, one],
  ['the input alone', { output: null, image: link, input: { url: link }, video_url: other }, []],
  ['no link', { output: [{ url: 'file:///etc/passwd' }, 5, null, {}] }, []],
  ['endless nesting', { output: nested(50) }, []],
])('finds the outputs of a job in %s', ([, record, outputs]) => {
  expect(outputsIn(record, { place: 'output', length: 'seconds' })).toEqual(outputs);
});

function nested(depth: number): unknown {
  return depth === 0 ? link : { output: nested(depth - 1) };
}

it.for([
  ['Timed Out', 'failed'],
  ['TIMED-OUT', 'failed'],
  ['aborted', 'failed'],
  ['Request Moderated', 'failed'],
  ['Ready', 'done'],
  ['Created', 'waiting'],
  ['THROTTLED', 'waiting'],
  ['In Progress', 'running'],
  ['unknown', 'running'],
  [null, 'running'],
])('understands the state %j as %s', ([word, state]) => {
  expect(stateOf(word)).toBe(state);
});

it.for<[record: Record<string, unknown>, reason: string]>([
  [{ error: 'NSFW content detected' }, 'policy'],
  [{ error: { message: 'blocked for safety' } }, 'policy'],
  [{ error: null, message: 'output moderated' }, 'policy'],
  [{ status: 'Content Moderated' }, 'policy'],
  [{ error: { code: 7 } }, 'bad_input'],
  [{ errorCode: '7', errorMessage: 'x' }, 'bad_input'],
  [{}, 'other'],
])('understands the failure of %j as %s', ([record, reason]) => {
  expect(failureIn(record, { 7: 'bad_input' })).toBe(reason);
});

it('takes the place of its dialect before all others, since only there is the length under its name', () => {
  const record = { output: [{ url: link, length: 3 }], results: [{ url: link, seconds: 7 }] };
  const [found] = outputsIn(record, { place: 'results', length: 'seconds' });
  expect(found?.durationSec).toBe(7);
});
