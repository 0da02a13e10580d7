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

  it.each<[string, Answer, string]>([
    ['another code', { body: error({ code: 'context_too_long' }) }, 'CHAT-012 range-outside'],
    ['success', { status: 200, body: { id: 'x' } }, 'CHAT-012 range-outside'],
    ['an error object under 200', { status: 200 }, 'ERR-001 error-status'],
    ['a redirect', { status: 302, body: '' }, 'CHAT-012 range-outside'],
    ['a status beyond 5xx', { status: 600 }, 'ERR-001 error-status'],
    ['HTML', { type: 'text/html', body: '<h1>no</h1>' }, 'ERR-002 error-content-type'],
    ['no content type', { type: '' }, 'ERR-002 error-content-type'],
    ['a body cut short', { complete: false }, 'ERR-002 answers'],
    ['broken JSON', { body: '{"error":' }, 'ERR-002 error-shape'],
    ['an empty body', { body: '' }, 'ERR-002 error-shape'],
    ['a string for the error', { body: { error: 'no' } }, 'ERR-002 error-shape'],
    ['no type', { body: error({ type: undefined }) }, 'ERR-003 error-shape'],
    ['a type of another list', { body: error({ type: 'client_error' }) }, 'ERR-003 error-shape'],
    ['no code', { body: error({ code: undefined }) }, 'ERR-004 error-shape'],
    ['a number for the code', { body: error({ code: 400 }) }, 'ERR-004 error-shape'],
    ['an empty message', { body: error({ message: '  ' }) }, 'ERR-005 error-shape'],
    ['a number for the channel', { body: error({ channel: 5 }) }, 'ERR-006 error-shape'],
    ['a list for the field', { body: error({ param: ['temperature'] }) }, 'ERR-007 error-shape'],
    ['another status than the code has', { status: 422 }, 'ERR-008 triple'],
    ['another type than the code has', { body: error({ type: 'api_error' }) }, 'ERR-008 triple'],
    ['no field', { body: error({ param: null }) }, 'CHAT-049 param'],
    ['another field', { body: error({ param: 'top_p' }) }, 'CHAT-049 param'],
    [
      'a stack trace',
      { body: error({ message: 'x\n    at f (file:///srv/a.ts:1:2)' }) },
      'ERR-005 no-stack-trace',
    ],
    ['the key of the request', { body: error({ message: 'not sk-app-in-the-header' }) }, 'ERR-005 no-key'],
    ['the key of the query', { body: error({ message: '/x?key=sk-app-in-the-query' }) }, 'ERR-005 no-key'],
  ])('names the error of %s', (_name, answer, wrong) => {
    expect(findingOf(() => judgeRefusal(answered(answer), expected))).toBe(wrong);
  });

  it('requires an answer', () => {
    expect(findingOf(() => judgeRefusal(unanswered, expected))).toBe('CHAT-012 answers');
  });

  it.each<[string, object, number, string | null]>([
    ['null for the field of a key failure', auth, 401, null],
    ['the header as the field of a key failure', { ...auth, param: 'Authorization' }, 401, null],
    ['a field of the body for a key failure', { ...auth, param: 'model' }, 401, 'AUTH-018 param-of-code'],
    ['a channel for a key failure', { ...auth, channel: 'ch-1' }, 401, 'AUTH-018 channel-of-code'],
    ['the channel at fault', upstream, 502, null],
    ['a channel that nobody declared', { ...upstream, channel: 'vendor' }, 502, 'ERR-006 channel-declared'],
    ['a field for an upstream failure, which is advice', { ...upstream, param: 'model' }, 502, null],
    ['the model for an unknown model', { ...good, code: 'model_not_found', param: 'model' }, 404, null],
    [
      'another field for an unknown model',
      { ...good, code: 'model_not_found', param: 'user' },
      404,
      'ERR-007 param-of-code',
    ],
    [
      'a channel for an unknown model',
      { ...good, code: 'model_not_found', param: null, channel: 'ch-1' },
      404,
      'ERR-006 channel-of-code',
    ],
  ])('judges %s by the code', (_name, body, status, wrong) => {
    const codes = ['invalid_api_key', 'upstream_error', 'model_not_found'] as const;
    const own = { requirement: 'CHAT-012', aspect: 'x', codes, channels: ['ch-1', 'ch-2'] };
    expect(findingOf(() => judgeRefusal(answered({ status, body: { error: body } }), own))).toBe(wrong);
  });

  it('accepts any channel when none is declared', () => {
    const own = { requirement: 'ERR-029', aspect: 'x', codes: ['upstream_error'] } as const;
    expect(judgeRefusal(answered({ status: 502, body: { error: upstream } }), own).channel).toBe('ch-1');
  });

  it('treats omitted members as null, and advises to send them', () => {
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

  it.each<[string, Answer, string]>([
    ['another status', { status: 400 }, 'EP-014 unknown-path'],
    ['a code of the table under this status', { status: 404 }, 'ERR-008 triple'],
    ['HTML', { status: 404, type: 'text/html', body: 'no' }, 'ERR-002 error-content-type'],
    ['success', { status: 200, body: {} }, 'EP-014 unknown-path'],
  ])('refuses %s', (_name, answer, wrong) => {
    expect(findingOf(() => judgeOpenRefusal(answered(answer), open))).toBe(wrong);
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
    'takes %s',
    (param) => {
      expect(namesField(param, 'messages[1].tool_call_id')).toBe(true);
    },
  );

  it.each([null, '', 'message', 'tools', 'Messages', 'x.messages'])('does not accept %s', (param) => {
    expect(namesField(param, 'messages[1].tool_call_id')).toBe(false);
  });
});
