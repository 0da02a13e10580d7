import { piecesFor, plainFor } from '../crash/native-answers.ts';
import { type FakeUpstream, json } from '../fake-upstream.ts';
import { pngOf } from '../native-media.ts';

const picture = { created: 1, data: [{ base64: pngOf(8, 8).toString('base64') }] };

/** Has an upstream answer every call at once and shortly, in the words of its dialect. */
export function answerShortly(upstream: FakeUpstream): void {
  upstream.fallback = (response, seen) => {
    const { path, body } = seen;
    if (body.stream === true || path.includes(':streamGenerateContent')) {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.end(piecesFor(path, 1).join(''));
      return;
    }
    const other = path.endsWith('/images/generations') ? picture : plainFor(path, 1);
    json(200, path.endsWith('/jobs') ? { id: 'job_1', status: 'queued' } : other)(response, seen);
  };
}
