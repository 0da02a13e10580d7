import fc from 'fast-check';
import { defineCheck } from '../../engine/check.ts';
import type { NativeCounts } from '../../generators/native/answer.ts';
import { tokenCounts } from '../../generators/token-counts.ts';
import { plainAccepted, streamAccepted } from '../../oracle/accepted.ts';
import type { Usage } from '../../oracle/completion.ts';
import { dialectOf } from '../../oracle/native/dialects.ts';
import { must } from '../../rules/violation.ts';
import { dialectModels } from '../../steps/chat/upstream-view.ts';
import type { Exchange } from '../../wire/exchange.ts';

const oddCounts = { prompt_tokens: 1237, completion_tokens: 89, cached_tokens: 64 };

export const usageIsTheUpstreams = defineCheck({
  id: 'resp.usage.verbatim',
  title: "usage repeats the upstream's token counts, cached ones included, plain and streamed",
  requirements: ['RESP-022', 'SSE-011'],
  kind: 'property',
  needs: ['upstream.control'],
  run: async ({ cases, newScene, http, judge, target }) => {
    const models = dialectModels(target);
    const counted = models.map((model) =>
      fc.record({ model: fc.constant(model), counts: tokenCounts(dialectOf(model)) }),
    );
    await cases.forAll(
      fc.oneof(...counted),
      async ({ model, counts }) => {
        const scene = newScene();
        await scene.script({ text: 'Counted elsewhere.', usage: { ...counts } });
        const plain = await http.chat(scene.minimal(model), { label: model });
        judgeVerbatim(judge.completed(plain, { ...plainAccepted, model }).usage, counts, 'RESP-022', plain);
        const body = { ...scene.minimal(model), stream: true };
        const stream = await http.chat(body, { label: `${model}, stream` });
        judgeVerbatim(judge.streamed(stream, { ...streamAccepted, model }).usage, counts, 'SSE-011', stream);
      },
      { quick: 15, examples: models.map((model) => ({ model, counts: oddCounts })) },
    );
  },
});

function judgeVerbatim(seen: Usage, counts: NativeCounts, requirement: string, exchange: Exchange): void {
  const finding = { requirement, expected: JSON.stringify(counts), actual: JSON.stringify(seen), exchange };
  const { prompt_tokens: prompt, completion_tokens: completion } = counts;
  const isSame = seen.prompt_tokens === prompt && seen.completion_tokens === completion;
  must(isSame, { ...finding, aspect: 'verbatim' });
  // Absence counts as 0 (reading B-37).
  const cached = seen.prompt_tokens_details?.cached_tokens ?? 0;
  must(cached === (counts.cached_tokens ?? 0), { ...finding, aspect: 'cached-verbatim' });
}
