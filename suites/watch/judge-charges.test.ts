import { describe, expect, it } from 'vitest';
import { type Sample, watched } from './testing/passing.ts';

const model = 'alpha-5-2';
const money = {
  hooks: {
    ledger: { url: 'https://gw.example/hooks/ledger', token: 'hook-token' },
    usage: { url: 'https://gw.example/hooks/usage', token: 'hook-token' },
  },
  pricing: {
    models: {
      [model]: { input: '2', output: '10' },
      'beta-mid-4-5': { input: '3', output: '15' },
      'kontext-pro': { per_image: '0.04' },
      vidB2: { per_second: '0.05' },
    },
    markup_bp: { K1: 5_000, K5: 0 },
  },
};

const at = Date.parse('2026-11-26T05:00:00Z');
const paid = { authorization: 'Bearer sk-app-of-k1' };
const named = { 'x-request-id': 'req-1' };

/**
 * The charge for 1,000 prompt tokens, 400 of them cached, and 100 of output: 0.0012 + 0.0002 + 0.001, plus a markup of one
 * half.
 */
const due = '0.0036';
const usage = {
  ...{ prompt_tokens: 1_000, completion_tokens: 100, total_tokens: 1_100 },
  prompt_tokens_details: { cached_tokens: 400 },
};

const chat = (more: Partial<Sample> = {}): Sample => ({
  path: '/api/v1/chat/completions',
  ...{ headers: paid, answered: named, at },
  body: { model, messages: [{ role: 'user', content: 'Hello' }] },
  answer: {
    ...{ id: 'chatcmpl-1', object: 'chat.completion', created: at / 1_000, model, usage },
    choices: [{ index: 0, message: { role: 'assistant', content: 'Hi' }, finish_reason: 'stop' }],
  },
  ...more,
});

const refused = chat({
  ...{ status: 400, body: { model } },
  answer: {
    error: {
      ...{ message: 'messages is missing', type: 'invalid_request_error', code: 'invalid_param' },
      ...{ param: 'messages', channel: null },
    },
  },
});

const ledger = (charge: string, kinds = ['hold', 'settle'], readAt = at + 100): Sample => ({
  ...{ method: 'GET', path: '/hooks/ledger?request_id=req-1', at: readAt },
  answer: {
    charge,
    entries: kinds.map((kind) => ({ id: kind, kind, book: 'credits', amount: '0', request_id: 'req-1' })),
  },
});

const record = {
  ...{ request_id: 'req-1', model_requested: model, model_served: model, outcome: 'success', stream: false },
  ...{ attempts: 1, prompt_tokens: 1_000, completion_tokens: 100, cached_tokens: 400, usage_known: true },
  ...{ cache_write_5m_tokens: 0, cache_write_1h_tokens: 0, charge: due },
};

const usageLog = (...records: object[]): Sample => ({
  ...{ method: 'GET', path: '/hooks/usage?request_id=req-1', at: at + 200 },
  answer: { records },
});

const broken = async (samples: readonly Sample[], profile: object | null = money): Promise<string[]> =>
  (await watched(samples, profile)).broken;

describe('charges in passing traffic', () => {
  it('pass when they are right', async () => {
    const { broken: found, report } = await watched([chat(), ledger(due), usageLog(record)], money);
    expect(found).toEqual([]);
    const verdicts = Object.fromEntries(report.checks.map(({ id, verdict }) => [id, verdict]));
    expect(verdicts).toMatchObject({ 'watch.charges': 'pass', 'watch.usage-log': 'pass' });
    expect(await broken([refused, ledger('0', ['hold', 'void'])])).toEqual([]);
    expect(await broken([refused, ledger('0', [])])).toEqual([]);
  });

  it.each<[string, readonly Sample[], string]>([
    ['a wrong sum in the ledger', [chat(), ledger('0.0037')], 'charges BILL-002 exact-charge'],
    [
      'a wrong sum in the usage log',
      [chat(), usageLog({ ...record, charge: '0.0024' })],
      'charges BILL-002 exact-charge',
    ],
    [
      'a sum that the two books tell differently',
      [chat(), ledger(due), usageLog({ ...record, charge: '0.01' })],
      'usageLog BILL-006 record-shows-the-charge',
    ],
    [
      'counts that are not those of the answer',
      [chat(), usageLog({ ...record, completion_tokens: 101, charge: '0.003615' })],
      'usageLog BILL-001 record-of-the-call',
    ],
    ['two records of a call', [chat(), usageLog(record, record)], 'usageLog BILL-009 one-record-of-the-call'],
    ['a refusal that costs', [refused, ledger(due)], 'free BILL-008 failed-is-free'],
  ])('%s is named', async (_, samples, rule) => {
    expect(await broken(samples)).toContain(rule);
  });

  it('are not judged when payer, price or end of the call is unknown', async () => {
    const stranger = chat({ headers: { authorization: 'Bearer sk-app-of-another' } });
    expect(await broken([stranger, ledger('1')])).toEqual([]);
    expect(await broken([chat(), ledger('1')], { ...money, pricing: {} })).toEqual([]);
    // Amounts on hold or corrected amounts are not the charge of the call.
    expect(await broken([chat(), ledger('1', ['hold'])])).toEqual([]);
    expect(await broken([chat(), ledger('1', ['settle', 'correction'])])).toEqual([]);
    expect(await broken([refused, ledger('1', ['hold'])])).toEqual([]);
    // The answer does not state cache writes, which cost more.
    const beta = 'beta-mid-4-5';
    const answer = { ...(chat().answer as object), model: beta };
    expect(await broken([chat({ body: { model: beta }, answer }), ledger('1')])).toEqual([]);
  });

  it('are matched to each tenant’s own K1', async () => {
    const tenants = [{ name: 'one', keys: { K1: 'sk-app-of-a-lane' } }];
    const call = chat({ headers: { authorization: 'Bearer sk-app-of-a-lane' } });
    expect(await broken([call, ledger('1')], { ...money, tenants })).toEqual([
      'charges BILL-002 exact-charge',
    ]);
  });

  it('of an image must match the specification and the price list', async () => {
    const body = { model: 'kontext-pro', prompt: 'A quiet sea.' };
    const data = [{ url: 'https://files.example/1.png' }];
    const picture = chat({
      path: '/api/v1/images/generations',
      body,
      answer: { created: at / 1_000, data },
    });
    expect(await broken([picture, ledger('0.06')])).toEqual([]);
    expect(await broken([picture, ledger('0.05')])).toEqual([
      'charges BILL-014 stated-price',
      'charges BILL-001 media-as-listed',
    ]);
  });

  const task = (status: string, made: number | null = 5): Sample[] => [
    chat({
      path: '/api/v1/tasks',
      body: { model: 'vidB2', prompt: 'A quiet sea.', duration: 5 },
      answer: { task_id: 'task-1', status: 'QUEUED', submit_time: new Date(at).toISOString() },
    }),
    {
      ...{ method: 'GET', path: '/api/v1/tasks/task-1', headers: paid, at: at + 1_000 },
      answer: {
        ...{ task_id: 'task-1', status, submit_time: new Date(at).toISOString(), duration_sec: made },
        result_urls: status === 'SUCCESS' ? ['https://files.example/1.mp4'] : [],
      },
    },
  ];

  it('of a task must match its result, and be zero when it failed', async () => {
    const later = at + 6_000;
    const charges = async (status: string, charge: string, readAt = later): Promise<string[]> =>
      (await broken([...task(status), ledger(charge, ['hold', 'settle'], readAt)])).filter((one) =>
        one.includes('BILL'),
      );
    expect(await charges('SUCCESS', '0.375')).toEqual([]);
    expect(await charges('SUCCESS', '0.3')).toEqual(['charges BILL-001 media-as-listed']);
    expect(await charges('FAILED', '0')).toEqual([]);
    expect(await charges('FAILED', '0.375')).toEqual(['free BILL-008 failed-media-free']);
    // The amount may be given back a moment later.
    expect(await charges('FAILED', '0', at + 1_500)).toEqual([]);
    expect(await charges('FAILED', '0.375', at + 1_500)).toEqual([]);
  });

  it('may be for a made length that differs from the request, and are not judged without a length', async () => {
    const charges = async (made: number | null, charge: string): Promise<string[]> =>
      (await broken([...task('SUCCESS', made), ledger(charge, ['settle'], at + 6_000)])).filter((one) =>
        one.includes('BILL'),
      );
    expect(await charges(8.4, '0.6')).toEqual([]);
    expect(await charges(8, '0.45')).toEqual(['charges BILL-001 media-as-listed']);
    expect(await charges(null, '0.45')).toEqual([]);
  });

  it('name what is missing', async () => {
    const missing = async (profile: object | null): Promise<readonly string[]> =>
      (await watched([chat()], profile)).report.checks.find(({ id }) => id === 'watch.charges')?.evidence
        .missing ?? [];
    const traffic = expect.stringContaining('traffic: a read of what a call');
    expect(await missing(null)).toEqual(['hooks.ledger', 'pricing.models', 'pricing.markup', traffic]);
    expect(await missing({ hooks: money.hooks })).toEqual(['pricing.models', 'pricing.markup', traffic]);
    expect(await missing(money)).toEqual([traffic]);
  });

  it('are counted as unjudged when their call did not pass', async () => {
    const { report } = await watched([ledger('1')], money);
    expect(report.notices?.join(' ')).toContain('1 about a charge that nothing is known of');
  });
});
