import { expect, it } from 'vitest';
import { outputsIn } from './job-outputs.ts';

const link = 'https://files.example.com/a.mp4';
const other = 'https://files.example.com/b.mp4';
const host = 'https://api.example.com';
const baseUrl = `${host}/v1`;
const file = 'data:video/mp4;base64,AAAA';
const one = [{ url: link, durationSec: null }];

it.for<[place: string, record: Record<string, unknown>, outputs: unknown]>([
  ['a link', { output: link }, one],
  ['a list of links', { output: [link, other] }, [...one, { url: other, durationSec: null }]],
  ['a length as text', { output: { url: link, seconds: '4.6' } }, [{ url: link, durationSec: 5 }]],
  ['a medium', { output: { video: { url: link } } }, one],
  ['another name of the link', { output: [{ video_url: link }] }, one],
  ['a result', { output: null, result: { videos: [{ url: link }] } }, one],
  ['data within data', { data: { task_result: { videos: [{ id: 1, url: link }] } } }, one],
  ['a list of plain links as JSON text', { results: JSON.stringify({ resultUrls: [link] }) }, one],
  ['a member of JSON text', { resultJson: JSON.stringify([{ audioUrl: link, imageUrl: other }]) }, one],
  ['a medium at the top', { status: 'done', video: { url: link } }, one],
  ['content', { content: { video_url: link } }, one],
  ['creations with covers', { creations: [{ url: link, cover_url: other }] }, one],
  ['songs within a response', { response: { sunoData: [{ audioUrl: link, imageUrl: other }] } }, one],
  ['the content of the request alone', { content: [{ type: 'image_url', image_url: link }] }, []],
  ['a link at the top', { url: link }, one],
  ['a path', { output: ['/v1/files/a.mp4'] }, [{ url: `${host}/v1/files/a.mp4`, durationSec: null }]],
  ['a data URI', { output: file }, [{ url: file, durationSec: null }]],
  ['a length with a unit', { output: { url: link, seconds: '5s' } }, [{ url: link, durationSec: 5 }]],
  ['a length as a clock', { output: { url: link, seconds: '00:01:05' } }, [{ url: link, durationSec: 65 }]],
  ['assets', { state: 'completed', assets: { video: link } }, one],
  ['links without a signature', { status: 'completed', unsigned_urls: [link] }, one],
  ['samples', { response: { generateVideoResponse: { generatedSamples: [{ video: { uri: link } }] } } }, one],
  ['one link twice', { results: [{ url: link }, { url: link }] }, one],
  ['the input alone', { output: null, image: link, input: { url: link }, video_url: other, video: link }, []],
  ['no link', { output: [{ url: 'file:///etc/passwd' }, 5, null, {}] }, []],
  ['endless nesting', { output: nested(50) }, []],
])('finds the outputs of a job in %s', ([, record, outputs]) => {
  expect(outputsIn(record, { place: 'output', length: 'seconds', baseUrl })).toEqual(outputs);
});

function nested(depth: number): unknown {
  return depth === 0 ? link : { output: nested(depth - 1) };
}

it('takes the place of its dialect before all others, since only there is the length under its name', () => {
  const record = { output: [{ url: link, length: 3 }], results: [{ url: link, seconds: 7 }] };
  const [found] = outputsIn(record, { place: 'results', length: 'seconds', baseUrl });
  expect(found?.durationSec).toBe(7);
});
