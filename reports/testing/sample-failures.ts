import type { FailureTimeline } from '../failure-timeline.ts';
import type { Failure, ReportedExchange } from '../report.ts';

/** The timeline of the buffered stream in the sample: the upstream waits at its gate, the caller gets nothing. */
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

/**
 * Failures of different kinds for the sample report: a field check, a stream, an upstream-observed one, an error.
 */

const baseUrl = 'https://gateway.example.test';
const chatUrl = `${baseUrl}/api/v1/chat/completions`;

export const wrongParam: Failure = {
  requirement: 'ERR-024',
  statement:
    'A missing, wrongly typed, out-of-range or unknown field is invalid_param, and param names that field',
  section: 'Errors, code table (line 425)',
  aspect: 'param-names-field',
  expected: '400 invalid_param with error.param "temperature"',
  actual: '400 invalid_param with error.param null',
  exchange: chat(
    'one fault',
    {
      model: 'alpha-5-2',
      messages: [{ role: 'user', content: 'Say hello.' }],
      temperature: 2.01,
      max_tokens: 16,
    },
    400,
    {
      error: {
        type: 'invalid_request_error',
        code: 'invalid_param',
        message: 'temperature must be at most 2',
        channel: null,
        param: null,
      },
    },
  ),
  twin: chat(
    'positive twin',
    {
      model: 'alpha-5-2',
      messages: [{ role: 'user', content: 'Say hello.' }],
      temperature: 2,
      max_tokens: 16,
    },
    200,
    completion('Hello! What shall we look at today?'),
  ),
  in_question: [{ path: 'temperature', value: '2.01', twin: '2' }],
  upstream: null,
  input: '{ field: "temperature", value: 2.01, model: "alpha-5-2" }',
  curl: curl(
    '{"model":"alpha-5-2","messages":[{"role":"user","content":"Say hello."}],"temperature":2.01,"max_tokens":16}',
  ),
  replay: 'npx gatecheck run --target deployment.yaml --only err.param-names-field --seed 20261121',
};

/** The same defect as found by another check, which is about a field and not about naming fields. */
export function wrongParamElsewhere(check: string, differing: Partial<Failure>): Failure {
  const replay = wrongParam.replay.replace('err.param-names-field', check);
  return { ...wrongParam, replay, ...differing };
}

export const bufferedStream: Failure = {
  requirement: 'SSE-004',
  statement:
    'Deltas are passed on as they arrive; the gateway does not hold the stream back until it is complete',
  section: 'Chat response, Streaming (line 99)',
  aspect: 'first-delta-before-last',
  seen_in: 'core, stream, delta',
  expected: 'the first content delta before the upstream is released to send the second',
  actual: 'nothing in 2.0 s; all 12 deltas came at once after the upstream had ended',
  exchange: {
    label: 'stream',
    request: {
      method: 'POST',
      url: chatUrl,
      headers: requestHeaders(),
      body: '{"model":"delta-3","stream":true,"messages":[{"role":"user","content":"[gc-7f3a] Count to twelve."}]}',
    },
    response: {
      status: 200,
      headers: [
        ['content-type', 'text/event-stream'],
        ['date', 'Sat, 21 Nov 2026 14:53:07 GMT'],
      ],
      body: [
        'data: {"id":"chatcmpl-91","object":"chat.completion.chunk","created":1795272787,"model":"delta-3","choices":[{"index":0,"delta":{"role":"assistant","content":""},"finish_reason":null}]}',
        'data: {"id":"chatcmpl-91","object":"chat.completion.chunk","created":1795272787,"model":"delta-3","choices":[{"index":0,"delta":{"content":"one"},"finish_reason":null}]}',
        'data: {"id":"chatcmpl-91","object":"chat.completion.chunk","created":1795272787,"model":"delta-3","choices":[{"index":0,"delta":{"content":" two"},"finish_reason":null}]}',
        'data: [DONE]',
        '',
      ].join('\n\n'),
      first_byte_ms: 2043,
      end_ms: 2051,
    },
    error: null,
  },
  twin: null,
  timeline: bufferedTimeline,
  upstream:
    'channel alpha received 1 request and waited at its gate before delta 1 from 11 ms to 2 012 ms; it had sent the head and delta 0',
  input: null,
  curl: curl(
    '{"model":"delta-3","stream":true,"messages":[{"role":"user","content":"Count to twelve."}]}',
    '-N ',
  ),
  replay: 'npx gatecheck run --target deployment.yaml --only sse.unbuffered --seed 20261121',
};

export const leakedSlot: Failure = {
  requirement: 'LIM-004',
  statement: 'A slot is given back when its request ends, in whatever way it ends',
  section: 'Limits, concurrent requests (line 442)',
  aspect: 'slot-freed-after-disconnect',
  expected: '3 requests accepted again within 1 s after the client closed 3 streams',
  actual: 'every request for 10 s was reset without an answer',
  exchange: {
    label: 'after the disconnect',
    request: {
      method: 'POST',
      url: chatUrl,
      headers: requestHeaders(),
      body: '{"model":"alpha-5-2","messages":[{"role":"user","content":"[gc-02bd] Still there?"}]}',
    },
    response: null,
    error: 'ECONNRESET: the server closed the connection before it sent a response head',
  },
  twin: chat(
    'positive twin',
    { model: 'alpha-5-2', messages: [{ role: 'user', content: '[gc-02be] Before any stream.' }] },
    200,
    completion('Yes.'),
  ),
  upstream: '3 streams ended as client-gone after 40 ms; no request reached the upstream afterwards',
  input: '[open, open, open, abort(1), abort(0), abort(2), send]',
  curl: null,
  replay: 'npx gatecheck run --target deployment.yaml --only lim.slot-freed --seed 20261121',
};

export const metadataWarning: Failure = {
  requirement: 'ERR-013',
  statement: 'The same invalid request gets the same code every time',
  section: 'Errors, client handling (line 436)',
  aspect: 'repeatable-code',
  expected: 'invalid_param three times',
  actual: 'invalid_param, invalid_param, context_too_long',
  exchange: null,
  twin: null,
  upstream: null,
  input: null,
  curl: null,
  replay: 'npx gatecheck run --target deployment.yaml --only err.repeatable --seed 20261121',
};

function chat(label: string, request: unknown, status: number, answer: unknown): ReportedExchange {
  return {
    label,
    request: { method: 'POST', url: chatUrl, headers: requestHeaders(), body: JSON.stringify(request) },
    response: {
      status,
      headers: [
        ['content-type', 'application/json'],
        ['date', 'Sat, 21 Nov 2026 14:53:05 GMT'],
        ['x-request-id', 'req_01jd8z6m3v'],
      ],
      body: JSON.stringify(answer),
      first_byte_ms: 11.4,
      end_ms: 12.1,
    },
    error: null,
  };
}

function completion(content: string): unknown {
  return {
    id: 'chatcmpl-8c1d',
    object: 'chat.completion',
    created: 1795272785,
    model: 'alpha-5-2',
    choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }],
    usage: {
      prompt_tokens: 12,
      completion_tokens: 9,
      total_tokens: 21,
      prompt_tokens_details: { cached_tokens: 0 },
    },
  };
}

function requestHeaders(): [string, string][] {
  return [
    ['authorization', 'Bearer $GATECHECK_KEY'],
    ['content-type', 'application/json'],
  ];
}

function curl(body: string, flags = ''): string {
  return `curl -sS ${flags}-X POST ${chatUrl} -H "authorization: Bearer $GATECHECK_KEY" -H 'content-type: application/json' -d '${body}'`;
}
