import type { Fault, FaultContext } from '../../fault-contract/fault.ts';
import { usualDeltas } from '../native/places.ts';

/** HTTP/2 faults affect one stream, but not the other streams of its connection. */
const needs = ({ http }: FaultContext): string | null =>
  http === 2
    ? null
    : 'a request over HTTP/2; start the simulators with --http2-port 0, and send it to that address';

/** GOAWAY on the connection of this request. Forms: whether its answer is still sent whole. */
export const goaway: Fault = {
  id: 'T21',
  kind: 'cut',
  needs,
  at: ({ form, after }) => (form === 'drain' ? null : { after: after ?? usualDeltas, by: 'goaway' }),
};

/** Some deltas, then the stream is reset while the connection stays. Forms: the code of the reset. */
export const streamReset: Fault = {
  id: 'T22',
  kind: 'cut',
  needs,
  at: ({ form, after }) => ({
    after: after ?? usualDeltas,
    by: form === 'cancel' ? 'cancel-stream' : 'reset-stream',
  }),
};

/**
 * The request was not processed, and the upstream states it: the client may retry. Forms: by resetting the stream, or by
 * GOAWAY.
 */
export const streamRefused: Fault = {
  id: 'T23',
  kind: 'hijack',
  needs,
  steps: ({ form }) => [{ do: 'end', by: form === 'goaway' ? 'goaway-unprocessed' : 'refuse-stream' }],
};
