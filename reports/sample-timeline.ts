import type { FailureTimeline } from './failure-timeline.ts';

/** What happened around the buffered stream of the sample: the upstream waits at its gate, the caller gets nothing. */
export const bufferedTimeline: FailureTimeline = {
  moment: { at_ms: 2_091, lane: 'client', row: 1 },
  client: {
    rows: [
      {
        ...{ label: 'plain', method: 'POST', path: '/api/v1/chat/completions', status: 200 },
        ...{ from_ms: 2, first_byte_ms: 31, to_ms: 33, role: 'same' },
      },
      {
        ...{ label: 'stream', method: 'POST', path: '/api/v1/chat/completions', status: 200 },
        ...{ from_ms: 40, first_byte_ms: 2_083, to_ms: 2_091, role: 'shows' },
        pieces_ms: [2_083, 2_084, 2_091],
      },
    ],
    left_out: 3,
  },
  upstream: {
    rows: [
      {
        ...{ label: 'delta', method: 'POST', path: '/v1/chat/completions', status: 200 },
        ...{ from_ms: 51, first_byte_ms: 52, to_ms: 2_080, role: 'same', note: 'as scripted' },
        pieces_ms: [52, 53, 2_079],
        request: '{"model":"d3-2026-07-11","stream":true}',
        answer: 'data: {"choices":[]}\n\n',
      },
      {
        ...{ label: 'alpha', method: 'POST', path: '/v1/chat/completions', status: null },
        ...{ from_ms: 60, first_byte_ms: null, to_ms: null, note: 'still open' },
      },
    ],
  },
  receiver: { rows: [], no_source: 'there is no receiver of events (webhooks.receiver)' },
  breakers: [{ channel: 'alpha', from_ms: 70, to_ms: 10_070 }],
};
