import { describe, expect, it } from 'vitest';
import { findingOf } from '../testing/finding-of.ts';
import type { Exchange } from '../wire/exchange.ts';
import { judgeErrorMembers, judgeErrorShape, judgeOpenRefusal, judgeRefusal, namesField } from './refusal.ts';

const good = {
  type: 'invalid_request_error',
  code: 'invalid_param',
  message: 'temperature is out of range',
  channel: null,
  param: 'temperature',
};
const auth = { type: 'auth_error', code: 'invalid_api_key', message: 'No key.', channel: null, param: null };
const upstream = {
  type: 'api_error',
  code: 'upstream_error',
  message: 'Failed.',
  channel: 'ch-1',
  param: null,
};

interface Answer {
  status?: number;
  body?: unknown;
  type?: string;
  complete?: boolean;
}

function answered({
  status = 400,
  body = { error: good },
  type = 'application/json',
  complete = true,
}: Answer): Exchange {
  const bytes = Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
  return {
    label: 'a refusal',
    request: {
      method: 'POST',
      url: 'http://127.0.0.1:1/api/v1/models?key=sk-app-in-the-query',
      headers: [['authorization', 'Bearer sk-app-in-the-header']],
      body: Buffer.alloc(0),
    },
    response: { status, headers: [['Content-Type', type]], body: bytes, firstByteMs: 1, endMs: 1, complete },
    error: null,
    sentAt: 0,
    endedAt: 1,
  };
}

const unanswered: Exchange = { ...answered({}), response: null, error: 'ECONNRESET' };
const expected = {
  requirement: 'CHAT-012',
  aspect: 'range-outside',
  codes: ['invalid_param'],
  param: 'temperature',
} as const;

const error = (changes: Record<string, unknown>, base: object = good): { error: object } => ({
  error: { ...base, ...changes },
});

describe('judgeRefusal', () => {
  it('accepts the expected refusal and returns its members', () => {
    expect(judgeRefusal(answered({}), expected)).toMatchObject({ ...good, advice: [] });
  });

  it('requires an answer', () => {
    expect(findingOf(() => judgeRefusal(unanswered, expected))).toBe('CHAT-012 answers');
  });

  it.each([
    ['accepted', answered({ status: 200, body: { choices: [] } })],
    ['<p>Welcome', answered({ status: 200, body: '<p>Welcome', type: 'text/html' })],
  ])('says of a call that was not refused: %s', (actual, exchange) => {
    expect(() => judgeRefusal(exchange, expected)).toThrow(
      expect.objectContaining({ finding: expect.objectContaining({ actual: `HTTP 200: ${actual}` }) }),
    );
  });

  it('accepts any channel when none is declared', () => {
    const own = { requirement: 'ERR-029', aspect: 'x', codes: ['upstream_error'] } as const;
    expect(judgeRefusal(answered({ status: 502, body: { error: upstream } }), own).channel).toBe('ch-1');
  });

  it('treats omitted members as null, and advises sending them', () => {
    const { channel: _channel, param: _param, ...bare } = auth;
    const own = { requirement: 'AUTH-003', aspect: 'missing', codes: ['invalid_api_key'] } as const;
    const { channel, param, advice } = judgeRefusal(answered({ status: 401, body: { error: bare } }), own);
    expect([channel, param]).toEqual([null, null]);
    expect(advice.map(({ requirement, aspect }) => `${requirement} ${aspect}`)).toEqual([
      'ERR-006 channel-present',
      'ERR-007 param-present',
    ]);
  });
});

describe('judgeOpenRefusal', () => {
  const open = { requirement: 'EP-014', aspect: 'unknown-path', statuses: [404] };

  it('accepts any code that fits the table', () => {
    const body = error({ code: 'not_found', param: null });
    expect(findingOf(() => judgeOpenRefusal(answered({ status: 404, body }), open))).toBeNull();
  });
});

describe('judgeErrorShape', () => {
  it('accepts an error of any code with its status', () => {
    expect(findingOf(() => judgeErrorShape(answered({ status: 502, body: { error: upstream } })))).toBeNull();
    expect(findingOf(() => judgeErrorShape(answered({ status: 200 })))).toBe('ERR-001 error-status');
  });
});

describe('judgeErrorMembers', () => {
  it('ignores the status inside a stream, but not the type', () => {
    expect(findingOf(() => judgeErrorMembers(upstream, null, answered({ status: 200 })))).toBeNull();
    expect(findingOf(() => judgeErrorMembers({ ...upstream, type: 'auth_error' }, null, answered({})))).toBe(
      'ERR-008 triple',
    );
    expect(findingOf(() => judgeErrorMembers({ ...upstream, type: 'x' }, null, answered({})))).toBe(
      'ERR-003 error-type',
    );
  });
});

describe('namesField', () => {
  it.each(['messages', 'messages[1].tool_call_id', 'messages.1', '/messages/1', 'tool_call_id'])(
    'accepts %s',
    (param) => {
      expect(namesField(param, 'messages[1].tool_call_id')).toBe(true);
    },
  );

  it.each([null, '', 'message', 'tools', 'Messages', 'x.messages'])('rejects %s', (param) => {
    expect(namesField(param, 'messages[1].tool_call_id')).toBe(false);
  });
});
