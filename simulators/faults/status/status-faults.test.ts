import { describe, expect, it } from 'vitest';
import { type ChatDialectName, chatDialectNames } from '../../answers/native-answer.ts';
import type { FaultFacts } from '../../control/fault-facts.ts';
import { faultFacts } from '../../fault-contract/known-faults.ts';
import { type Cell, cellDeltas, cellsOf, type RawAnswer, sendCell } from '../../testing/send-cell.ts';
import { useSimulators } from '../../testing/simulators.ts';

const simulators = useSimulators();

/** What must be on the wire: the status, headers (null: absent), members of the JSON, or the text of the body. */
interface Expected {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string | RegExp | null>>;
  readonly json?: object;
  readonly text?: string | RegExp;
}

/** Written independently of the faults, not derived from them. */
const expected: Readonly<Record<string, (cell: Cell) => Expected>> = {
  H1: (cell) => rateLimit('requests', cell),
  H2: (cell) => rateLimit('tokens', cell),
  H3: ({ form }) => ({ status: Number(form), json: chat('rate_limit_error', 'slow_down') }),
  H4: ({ form }) => ({
    status: 429,
    headers: { 'retry-after': null },
    json: chat('insufficient_quota', form),
  }),
  H5: (cell) => ({ status: 429, headers: retryAfter(cell), json: native(cell, ...tooMany) }),
  H6: (cell) => ({ status: 500, json: native(cell, ['server_error', null], 'api_error', [500, 'INTERNAL']) }),
  H7: (cell) => ({ status: 503, json: native(cell, ['server_error', null], 'api_error', [503, '']) }),
  H8: () => ({ status: 529, json: { type: 'error', error: { type: 'overloaded_error' } } }),
  H9: ({ form }) => {
    const body = { error: { code: 503, status: 'UNAVAILABLE' } };
    return { status: 503, json: form === 'in-array' ? [body] : body };
  },
  H10: (cell) => quota(/PerMinute/, cell),
  H11: (cell) => quota(/PerDay/, cell),
  H12: ({ form }) => ({
    status: Number(form),
    headers: { 'content-type': 'text/html', 'x-request-id': null, 'request-id': null, server: 'nginx' },
    text: `<h1>${form} `,
  }),
  H13: (cell) => refusedAccount(cell),
  H14: (cell) => {
    if (cell.form === 'html')
      return { status: 413, headers: { 'content-type': 'text/html' }, text: '<h1>413 ' };
    const json = native(cell, [any, 'request_too_large'], 'request_too_large', [400, 'INVALID_ARGUMENT']);
    return { status: cell.dialect === 'generate-content' ? 400 : 413, json };
  },
  H15: (cell) => ({
    status: 404,
    json: native(cell, ['invalid_request_error', 'model_not_found'], 'not_found_error', [404, 'NOT_FOUND']),
  }),
  H16: (cell) => {
    const code = cell.form === 'usual' ? 'context_length_exceeded' : 400;
    const json = native(cell, [any, code], 'invalid_request_error', [400, 'INVALID_ARGUMENT']);
    return { status: 400, json, text: contextWords[cell.dialect] };
  },
  H17: (cell) => ({
    status: 400,
    json: native(cell, ['invalid_request_error', any], 'invalid_request_error', [400, 'INVALID_ARGUMENT']),
    ...(cell.form === 'field' ? { text: /messages|contents/ } : {}),
  }),
  H18: (cell) => {
    const codes: Record<string, string> = {
      policy: 'content_policy_violation',
      moderation: 'moderation_blocked',
      'inner-error': 'content_filter',
    };
    const json = native(cell, [any, codes[cell.form ?? '']], 'invalid_request_error', [0, '']);
    const inner = cell.dialect === 'chat-completions' && cell.form === 'inner-error';
    return {
      status: 400,
      json,
      ...(inner ? { text: '"innererror":{"code":"ResponsibleAIPolicyViolation"' } : {}),
    };
  },
  H19: ({ form }) => ({ status: Number(form), json: { error: {} } }),
  H20: ({ call }) => ({
    status: 200,
    headers: {
      'content-length': '0',
      'content-type': call === 'stream' ? 'text/event-stream' : 'application/json',
    },
    text: /^$/,
  }),
  H21: (cell) => ({
    status: 200,
    headers: { 'content-type': 'application/json', 'retry-after': null },
    json: cell.form === 'code-and-msg' ? { code: 531, msg: any } : { error: {} },
  }),
  H22: (cell) => {
    const isEvents = (cell.call === 'stream') === (cell.form === 'label');
    const wrongType = { 'content-type': cell.call === 'plain' ? 'text/event-stream' : 'application/json' };
    return cell.form === 'error'
      ? { status: 429, headers: { 'content-type': 'text/event-stream' }, json: native(cell, ...tooMany) }
      : {
          status: 200,
          headers: wrongType,
          text: isEvents ? /^(?:event|data): / : /^\{[\s\S]*It was a dark and stormy night/,
        };
  },
};

describe.each([...faultFacts.values()].filter(({ id }) => id.startsWith('H')))('$id $name', (facts) => {
  it.each(cellsOf(facts))('is on the wire as it should be: $dialect, $call, $form', async (cell) => {
    const answer = await sendCell(simulators, facts, cell);
    const { status, headers = {}, json, text = '' } = expected[facts.id]?.(cell) ?? { status: 0 };
    expect(answer.status).toBe(status);
    for (const [name, value] of Object.entries(headers)) {
      if (value === null) expect(answer.header(name), name).toBeUndefined();
      else expect(answer.header(name), name).toMatch(value);
    }
    if (json !== undefined) expect(JSON.parse(answer.body.toString())).toMatchObject(json);
    expect(answer.body.toString()).toMatch(text);
  });
});

it('H5 as a date lies 17 s after the date of the same answer', async () => {
  const answer = await sendCell(simulators, factsOf('H5'), {
    dialect: 'messages',
    call: 'plain',
    form: 'date',
  });
  const [wait = 0, date = 0] = ['retry-after', 'date'].map((name) => Date.parse(answer.header(name) ?? ''));
  expect(wait - date).toBe(17_000);
});

it('a refusal of messages has one request id, in its body and in its header', async () => {
  const answer = await sendCell(simulators, factsOf('H8'), {
    dialect: 'messages',
    call: 'plain',
    form: null,
  });
  expect(answer.header('request-id')).toMatch(/^req_01\w{22}$/);
  expect(JSON.parse(answer.body.toString()).request_id).toBe(answer.header('request-id'));
});

it('H22 keeps the whole scripted content in the other kind of body', async () => {
  const said = async (dialect: ChatDialectName, call: Cell['call']): Promise<RawAnswer> =>
    sendCell(simulators, factsOf('H22'), { dialect, call, form: 'body' });
  for (const dialect of chatDialectNames) {
    for (const call of ['plain', 'stream'] as const) {
      const { body } = await said(dialect, call);
      expect(body.toString(), `${dialect} ${call}`).toContain(cellDeltas.join(''));
      expect(body.toString(), `${dialect} ${call}`).toMatch(/(?:[tT]okens|TokenCount)": ?321\b/);
      expect(body.toString(), `${dialect} ${call}`).toMatch(/(?:[tT]okens|TokenCount)": ?45\b/);
    }
  }
});

const any = expect.anything();

/** The words by which clients recognise the error, in the usual form and in the other one. */
const contextWords: Readonly<Record<ChatDialectName, RegExp>> = {
  'chat-completions': /at most|maximum context length/,
  messages: /"(?:prompt is too long|input length and `max_tokens` exceed context limit): /,
  'generate-content': /input token count (?:\(\d+\) exceeds the maximum|is \d+, but the model only supports)/,
};

const tooMany = [
  ['requests', 'rate_limit_exceeded'],
  'rate_limit_error',
  [429, 'RESOURCE_EXHAUSTED'],
] as const;

/** The native error body: type and code for chat-completions, the type for messages, code and status for generate-content. */
function native(
  { dialect }: Cell,
  [type, code]: readonly [unknown, unknown],
  messagesType: string,
  [status, name]: readonly [number, string],
): object {
  if (dialect === 'messages') return { type: 'error', error: { type: messagesType, message: any } };
  return dialect === 'chat-completions'
    ? chat(type, code)
    : { error: { code: status, status: name, message: any } };
}

function chat(type: unknown, code: unknown): object {
  return { error: { ...(type === any ? {} : { type }), ...(code === any ? {} : { code }) } };
}

function rateLimit(what: 'requests' | 'tokens', { dialect, form }: Cell): Expected {
  const waits: Record<string, [seconds: string, text: string]> = {
    'reset-seconds': ['20', '20s'],
    'reset-minutes': ['360', '6m0s'],
    'reset-milliseconds': ['1', '20ms'],
  };
  const [seconds = '', text = ''] = waits[form ?? ''] ?? [];
  if (dialect === 'messages') {
    const window = `anthropic-ratelimit-${what === 'tokens' ? 'input-tokens' : 'requests'}`;
    const headers = {
      'retry-after': new RegExp(`^${seconds}$`),
      [`${window}-remaining`]: '0',
      [`${window}-reset`]: /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/,
    };
    return { status: 429, headers, json: { type: 'error', error: { type: 'rate_limit_error' } } };
  }
  const headers = {
    'retry-after': new RegExp(`^${seconds}$`),
    'retry-after-ms': /^\d+$/,
    [`x-ratelimit-limit-${what}`]: /^\d+$/,
    [`x-ratelimit-remaining-${what}`]: '0',
    [`x-ratelimit-reset-${what}`]: new RegExp(`^${text}$`),
  };
  return { status: 429, headers, json: chat(what, 'rate_limit_exceeded') };
}

function retryAfter({ form }: Cell): Record<string, string | RegExp | null> {
  const forms: Record<string, string | RegExp | null> = {
    seconds: /^17$/,
    date: /^\w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT$/,
    milliseconds: null,
    list: /^60,120$/,
    zero: /^0$/,
    negative: /^-5$/,
    huge: /^1000000000$/,
    absent: null,
  };
  return {
    'retry-after': forms[form ?? ''] ?? null,
    'retry-after-ms': form === 'milliseconds' ? '900' : null,
  };
}

function quota(name: RegExp, { form }: Cell): Expected {
  const failure = { violations: [{ quotaId: expect.stringMatching(name) }] };
  const retryInfo = { retryDelay: '38s' };
  const hasInfo = form === 'retry-info' || form === 'in-array';
  const details = hasInfo ? [failure, retryInfo] : [failure];
  const body = { error: { code: 429, status: 'RESOURCE_EXHAUSTED', details } };
  const wrapped = {
    error: { message: expect.stringMatching(/^\{\n {2}"error": /), status: 'Too Many Requests' },
  };
  const json = form === 'in-array' ? [body] : form === 'json-in-message' ? wrapped : body;
  const text = form === 'no-retry-info' ? {} : { text: 'Please retry in 38.922534355s.' };
  return { status: 429, headers: { 'retry-after': null }, json, ...text };
}

function refusedAccount(cell: Cell): Expected {
  const statuses: Record<string, Record<ChatDialectName, number>> = {
    'bad-key': { 'chat-completions': 401, messages: 401, 'generate-content': 400 },
    unpaid: { 'chat-completions': 402, messages: 402, 'generate-content': 403 },
    forbidden: { 'chat-completions': 403, messages: 403, 'generate-content': 403 },
  };
  const types: Record<string, string> = {
    'bad-key': 'authentication_error',
    unpaid: 'billing_error',
    forbidden: 'permission_error',
  };
  const form = cell.form ?? '';
  const status = statuses[form]?.[cell.dialect] ?? 0;
  const name = status === 400 ? 'INVALID_ARGUMENT' : 'PERMISSION_DENIED';
  return { status, json: native(cell, [any, any], types[form] ?? '', [status, name]) };
}

function factsOf(id: string): FaultFacts {
  const facts = faultFacts.get(id);
  if (facts === undefined) throw new RangeError(`${id} is not in the catalogue`);
  return facts;
}
