import type { ProxyRequest } from '../../../suites/rewrite/mutation.ts';
import { refusal, says } from '../../../suites/rewrite/refusal-edits.ts';
import type { Mutant } from '../../edits/mutant.ts';
import { front } from '../../edits/mutant.ts';

const saying =
  (text: string) =>
  ({ body }: ProxyRequest): boolean =>
    body.includes(`"stream_options":${text}`);

/** Gateways that let stream_options decide about more than they may. */
export const streamOptionsMutants: readonly Mutant[] = [
  front(['sse.usage-opted-out', 'a stream can opt out of its usage', 'SSE-023', 'usage-whatever-is-said'], {
    events: (request) => (event) => {
      if (event === null) return [];
      const isLast = saying('{"include_usage":false}')(request) && event.includes('"usage":{');
      return [isLast ? event.replace(/,"usage":\{(?:[^{}]|\{[^{}]*\})*\}/, '') : event];
    },
  }),
  front(
    ['sse.stream-options-misnamed', 'a refused option is called stream', 'SSE-009', 'refused-by-name'],
    says(saying('{}'), refusal('invalid_param', 'stream')),
  ),
  front(
    ['sse.stream-options-fatal', 'options of null are a failure', 'SSE-009', 'streams-anyway'],
    says(saying('null'), refusal('internal_error')),
  ),
];
