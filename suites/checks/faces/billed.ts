import { type Check, defineCheck } from '../../engine/check.ts';
import type { CheckParts } from '../../engine/parts/check-parts.ts';
import { type UsageRecord, usageRecordsOf } from '../../engine/usage-record.ts';
import { spokenCounts } from '../../generators/answer-script.ts';
import type { NativeCounts } from '../../generators/native/answer.ts';
import { dialectOf } from '../../oracle/native/dialects.ts';
import { must } from '../../rules/violation.ts';
import { compatA, compatB, coreProtocol, type Protocol } from '../../steps/protocols/protocol.ts';
import { protocolModelOf, streamsOn } from '../../steps/protocols/protocol-model.ts';
import { readSaid } from '../../steps/protocols/said.ts';
import type { Exchange } from '../../wire/exchange.ts';

const counted = [
  'prompt_tokens',
  'completion_tokens',
  'cached_tokens',
  'cache_write_5m_tokens',
  'cache_write_1h_tokens',
] as const;

/** For each dialect, every kind of count that it can report. */
const full: Readonly<Record<string, NativeCounts>> = {
  messages: {
    prompt_tokens: 12_457,
    completion_tokens: 89,
    cached_tokens: 12_304,
    cache_write_tokens: 150,
    cache_write_1h_tokens: 40,
  },
  'generate-content': {
    prompt_tokens: 4_705,
    completion_tokens: 3_088,
    cached_tokens: 2_048,
    reasoning_tokens: 2_999,
  },
};

interface Billing {
  readonly protocol: Protocol;
  readonly model: string;
  readonly streams: boolean;
  readonly requirement: string;
}

/** One check for each compat path: equal usage is recorded alike, so it costs the same. */
export const billingChecks: readonly Check[] = [
  { protocol: compatA, requirement: 'COMPA-017', fact: 'compat.a' as const },
  { protocol: compatB, requirement: 'COMPB-015', fact: 'compat.b' as const },
].map(({ protocol, requirement, fact }) =>
  defineCheck({
    id: `faces.billed.${protocol.name}`,
    title: `upstream usage is billed alike on ${protocol.name} and the core path, cache reads and writes too`,
    requirements: [requirement],
    kind: 'metamorphic',
    needs: ['upstream.control', 'hooks.usage', fact, 'chat'],
    run: async (parts) => {
      const { model } = protocolModelOf(parts.target, protocol);
      const streams = await streamsOn(parts, { protocol, model });
      const own = dialectOf(model);
      await parts.cases.forAll(
        spokenCounts(own),
        (counts) => judgeBilled(parts, { protocol, model, streams, requirement }, counts),
        { quick: 8, examples: [full[own] ?? { prompt_tokens: 12, completion_tokens: 7 }] },
      );
    },
  }),
);

async function judgeBilled(parts: CheckParts, billing: Billing, counts: NativeCounts): Promise<void> {
  const { protocol, model, requirement } = billing;
  const core = await billedOn(parts, coreProtocol, billing, counts, false);
  for (const stream of billing.streams ? [false, true] : [false]) {
    const { record, exchange } = await billedOn(parts, protocol, billing, counts, stream);
    const wrong = counted.filter((name) => record[name] !== core.record[name]);
    must(wrong.length === 0 && record.usage_known === core.record.usage_known, {
      requirement,
      aspect: 'same-counts',
      expected: `the counts of the core path: ${shown(core.record)}`,
      actual: `${shown(record)}, other in ${wrong.join(', ')}`,
      exchange,
      twin: core.exchange,
    });
    must(
      record.model_served === model && record.stream === stream && record.outcome === core.record.outcome,
      {
        requirement,
        aspect: 'same-entry',
        expected: `a good ${stream ? 'stream' : 'answer'} by ${model}, recorded as ${core.record.outcome}`,
        actual: JSON.stringify(record),
        exchange,
        twin: core.exchange,
      },
    );
  }
}

/** Makes a call whose upstream reports these counts, and returns its one record. */
async function billedOn(
  { newScene, http, target, judge }: CheckParts,
  protocol: Protocol,
  { model, requirement }: Billing,
  counts: NativeCounts,
  stream: boolean,
): Promise<{ record: UsageRecord; exchange: Exchange }> {
  const scene = newScene();
  await scene.script({ text: 'Counted elsewhere.', usage: { ...counts } });
  const body = protocol.body(scene, { model });
  const label = `${protocol.name}${stream ? ', stream' : ''}`;
  const exchange = await protocol.send(http, model, body, { label, stream });
  readSaid(judge, protocol, exchange, { requirement, aspect: 'accepted', model, stream });
  const records = await usageRecordsOf(exchange, target.profile);
  const [record] = records;
  must(record !== undefined && records.length === 1, {
    requirement,
    aspect: 'one-record',
    expected: 'one usage record of the call after its answer',
    actual: `${records.length}`,
    exchange,
  });
  return { record, exchange };
}

function shown(record: UsageRecord): string {
  return counted.map((name) => `${name} ${record[name]}`).join(', ');
}
