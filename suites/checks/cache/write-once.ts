import { defineCheck } from '../../engine/check.ts';
import type { CheckParts } from '../../engine/parts/check-parts.ts';
import type { JsonObject } from '../../engine/requests.ts';
import type { NativeCounts } from '../../generators/native/answer.ts';
import { fraction } from '../../oracle/money.ts';
import { must } from '../../rules/violation.ts';
import { mustBeTimes, type Step } from '../../steps/money/compare-charges.ts';
import { cacheModels, hinted, longRequest } from '../../steps/money/hinted.ts';
import { charged, type Priced, pricedCall } from '../../steps/money/priced-call.ts';

const requirement = 'CACHE-004';

/** What a written token costs more, and one that is read costs less, than an uncached one, in input prices. */
const premiums = { '5m': fraction(1, 4), '1h': fraction(1, 1) } as const;
const discount = fraction(-9, 10);

/** Calls after the one that fills the slot. */
const hits = ['the second time', 'the third time, streamed', 'the fourth time'] as const;

export const writesAreChargedOnce = defineCheck({
  id: 'cache.write.once',
  title: 'a cached prompt is charged as a write the first time and as a hit each time after that',
  requirements: [requirement],
  kind: 'metamorphic',
  needs: ['upstream.control', 'charges'],
  run: async (parts) => {
    const { rng, cases, target } = parts;
    const models = rng.shuffle(cacheModels(target));
    for (const [place, model] of (cases.full ? models : models.slice(0, 2)).entries())
      await judgeSequence(parts, model, (['5m', '1h'] as const)[place % 2] ?? '5m');
  },
});

/** A call with what the upstream counted by itself. */
interface Sent extends Priced {
  readonly prompt: number;
  readonly completion: number;
  readonly cached: number;
}

/** Unscripted, the upstream counts by itself: the slot is filled once and then used. */
async function judgeSequence(parts: CheckParts, model: string, ttl: '5m' | '1h'): Promise<void> {
  const body = longRequest(parts.rng, parts.newScene(), model, (block) => hinted(block, ttl));
  const written = await sent(parts, model, body, `a long prompt to keep for ${ttl}`);
  const again: Sent[] = [];
  for (const [place, time] of hits.entries())
    again.push(
      await sent(parts, model, { ...body, ...(place === 1 ? { stream: true } : {}) }, `${ttl}, ${time}`),
    );
  const kept = again[0]?.cached ?? 0;
  const evidence = { exchange: again[0]?.exchange, twin: written.exchange };
  const rule = { requirement: 'CACHE-006', aspect: 'second-hits', ...evidence };
  const expected = 'cached_tokens 0 for a prompt that is sent first, and above 0 when it comes again';
  must(written.cached === 0 && kept > 0, { ...rule, expected, actual: `${written.cached}, then ${kept}` });
  const counts = { prompt_tokens: written.prompt, completion_tokens: written.completion };
  const cost = (label: string, used: NativeCounts): Promise<Priced> =>
    pricedCall(parts, { model, counts: used, label }, { requirement });
  const plain = await cost('the same counts without a cache', counts);
  const withKept = { ...counts, prompt_tokens: written.prompt + kept };
  const more = await cost('as many tokens more as were kept', withKept);
  const input: Step = { from: plain, to: more };
  const write = { requirement, aspect: 'first-is-a-write' };
  mustBeTimes({ from: plain, to: written }, premiums[ttl], input, write);
  for (const hit of again) {
    // Another answer may have another length, and so another price.
    const uncached = { prompt_tokens: hit.prompt, completion_tokens: hit.completion };
    const twin = await cost('the counts of the hit without a cache', uncached);
    mustBeTimes({ from: twin, to: hit }, discount, input, { requirement, aspect: 'later-are-hits' });
  }
}

async function sent(
  { cases, meter, http, judge }: CheckParts,
  model: string,
  body: JsonObject,
  label: string,
): Promise<Sent> {
  cases.count();
  const isStream = body.stream === true;
  const { exchange, charge } = await charged(meter, () => http.chat(body, { label: `${model}, ${label}` }));
  const rule = { requirement, aspect: 'accepted', model };
  const { usage } = isStream ? judge.streamed(exchange, rule) : judge.completed(exchange, rule);
  const { prompt_tokens: prompt, completion_tokens: completion } = usage;
  const cached = usage.prompt_tokens_details?.cached_tokens ?? 0;
  const counts = { prompt_tokens: prompt, completion_tokens: completion, cached_tokens: cached };
  return { charge, exchange, call: { model, counts, label, stream: isStream }, prompt, completion, cached };
}
