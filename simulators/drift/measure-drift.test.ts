import { expect, it } from 'vitest';
import { chatDialectNames } from '../answers/native-answer.ts';
import type { Reply } from '../control/protocol.ts';
import { parseUpstream } from '../http/upstream.ts';
import { useSimulators } from '../testing/simulators.ts';
import { type DriftOptions, measureDrift } from './measure-drift.ts';

/** Plays a real provider, and may differ from the simulators. */
const real = useSimulators({ strictModels: false });
const key = 'sk-live-0123456789abcdef';

async function drift(options: Partial<DriftOptions>, ...replies: Reply[]) {
  const tenant = real.tenant();
  if (replies.length > 0) await tenant.script({ replies });
  const report = await measureDrift({
    provider: parseUpstream(real.base(tenant.name)),
    ...{
      dialect: 'chat-completions',
      model: 'any',
      key,
      maxCalls: 7,
      timeoutMs: 10_000,
      today: '2026-11-29',
    },
    ...options,
  });
  return { report, requests: (await tenant.journal()).entries };
}

const errors: Reply[] = [
  {},
  {},
  {},
  {},
  { fault: { id: 'H15' } },
  {},
  { fault: { id: 'H13', form: 'bad-key' } },
];

it.each(chatDialectNames)(
  'reports no differences for an equal provider of %s, and the faults with the same bytes',
  async (dialect) => {
    const { report, requests } = await drift({ dialect }, ...errors);
    expect(report.calls.map(({ failed, differences }) => [failed, differences])).toEqual(
      Array.from({ length: 7 }, () => [null, []]),
    );
    expect(report.held.map(({ fault, on }) => [fault, on])).toEqual([
      ['H15', '2026-11-29'],
      ['H13', '2026-11-29'],
    ]);
    expect(requests).toHaveLength(7);
    expect(report.cost.calls).toBe(7);
    expect(report.cost.completion_tokens).toBeGreaterThan(4);
  },
);

const answer = {
  id: 'chatcmpl-1',
  object: 'chat.completion',
  created: 1,
  model: 'any',
  choices: [
    {
      index: '0',
      message: { role: 'assistant', content: 'tide', annotations: [] },
      logprobs: null,
      finish_reason: 'stop',
      provider: 'x',
    },
  ],
  usage: { prompt_tokens: 12, completion_tokens: 2, total_tokens: 14 },
  moderation: { blocked: false },
};

it("attributes each difference by the clients' declarations, and stays within the limit of calls", async () => {
  const { report, requests } = await drift({ maxCalls: 1 }, { status: 200, body: answer });
  const [{ differences = [] } = {}] = report.calls;
  expect(Object.fromEntries(differences.map(({ what, blame }) => [what, blame]))).toMatchObject({
    'choices[].index': 'provider',
    'choices[].provider': 'provider',
    moderation: 'simulators',
    'usage.prompt_tokens_details': 'optional',
    system_fingerprint: 'optional',
  });
  expect(requests).toHaveLength(1);
  expect(report.cost).toEqual({ calls: 1, prompt_tokens: 12, completion_tokens: 2 });
});

it('reports failed comparisons without the key', async () => {
  const { report } = await drift({ maxCalls: 1 }, { status: 401, body: `no key ${key}` });
  const hung = await drift({ maxCalls: 1, timeoutMs: 50 }, { hang: 'head' });
  expect(report.calls[0]?.failed).toBe('status 401: no key …');
  expect(hung.report.calls[0]?.failed).toMatch(/timeout/);
});
