import type { Exchange } from '../wire/exchange.ts';

/** An exchange that was answered with these headers and no body. */
export function answeredWith(...headers: readonly (readonly [string, string])[]): Exchange {
  return {
    label: 'sample',
    request: { method: 'POST', url: '', headers: [], body: Buffer.alloc(0) },
    response: { status: 200, headers, body: Buffer.alloc(0), firstByteMs: 0, endMs: 0, complete: true },
    error: null,
    sentAt: 0,
    endedAt: 0,
  };
}

/** An exchange that was answered with this status in JSON, and the error of this code if there is one. */
export function answeredByCode(status: number, code = ''): Exchange {
  const sample = answeredWith(['content-type', 'application/json']);
  const body = Buffer.from(JSON.stringify(code === '' ? {} : { error: { code } }));
  return { ...sample, response: sample.response && { ...sample.response, status, body } };
}
