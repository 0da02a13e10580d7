import fc from 'fast-check';
import { defineCheck } from '../../engine/check.ts';
import { must } from '../../engine/violation.ts';
import { outcomeOf } from '../../wire/exchange.ts';

const counts = fc
  .record({ prompt: fc.integer({ min: 1, max: 300_000 }), completion: fc.integer({ min: 1, max: 90_000 }), cachedShare: fc.double({ min: 0, max: 1, noNaN: true }) })
  .map(({ prompt, completion, cachedShare }) => ({
    prompt_tokens: prompt,
    completion_tokens: completion,
    cached_tokens: Math.floor(prompt * cachedShare),
  }));

export const usageIsTheUpstreams = defineCheck({
  id: 'resp.usage.verbatim',
  title: 'usage repeats the counts that the upstream reported, plain and streamed',
  requirements: ['RESP-022', 'SSE-011'],
  kind: 'property',
  needs: ['upstream.control'],
  run: async (kit) => {
    const example = { prompt_tokens: 1237, completion_tokens: 89, cached_tokens: 64 };
    await kit.forAll(
      counts,
      async (usage) => {
        const scene = kit.scene();
        const model = kit.anyModel();
        await scene.script({ text: 'Counted elsewhere.', usage });
        const expected = { requirement: 'RESP-022', aspect: 'verbatim', model };
        const plain = await kit.chat(scene.minimal(model), { label: 'plain' });
        const stream = await kit.chat({ ...scene.minimal(model), stream: true }, { label: 'stream' });
        const readings = [
          { seen: kit.completed(plain, expected).usage, exchange: plain, requirement: 'RESP-022' },
          { seen: kit.streamed(stream, expected).usage, exchange: stream, requirement: 'SSE-011' },
        ];
        for (const { seen, exchange, requirement } of readings) {
          const details = seen.prompt_tokens_details?.cached_tokens;
          const same =
            seen.prompt_tokens === usage.prompt_tokens &&
            seen.completion_tokens === usage.completion_tokens &&
            (details === undefined || details === usage.cached_tokens);
          must(same, { requirement, aspect: 'verbatim', expected: JSON.stringify(usage), actual: `${outcomeOf(exchange)}: ${JSON.stringify(seen)}`, exchange });
        }
      },
      { examples: [example] },
    );
  },
});
