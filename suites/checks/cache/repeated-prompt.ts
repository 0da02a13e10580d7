import { defineCheck } from '../../engine/check.ts';
import { must } from '../../rules/violation.ts';
import { cacheModels, hinted, longRequest } from '../../steps/money/hinted.ts';

export const repeatedPromptHits = defineCheck({
  id: 'cache.prompt.repeated',
  title: 'a long prompt with a cache hint, sent again, is reported as cached, plain and streamed',
  requirements: ['CACHE-006'],
  kind: 'metamorphic',
  needs: [],
  run: async ({ cases, newScene, http, judge, target, rng }) => {
    for (const model of target.few(cacheModels(target))) {
      for (const ttl of target.few([null, '1h'] as const)) {
        cases.count();
        const body = longRequest(rng, newScene(), model, (block) => hinted(block, ttl));
        const label = `${model}, ${ttl === null ? 'default life' : `ttl ${ttl}`}`;
        const rule = { requirement: 'CACHE-006', model };
        const first = await http.chat(body, { label: `${label}, the first time` });
        judge.completed(first, { ...rule, aspect: 'first-accepted' });
        const second = await http.chat(body, { label: `${label}, the second time` });
        const again = judge.completed(second, { ...rule, aspect: 'second-accepted' });
        const third = await http.chat({ ...body, stream: true }, { label: `${label}, streamed` });
        const streamed = judge.streamed(third, { ...rule, aspect: 'second-accepted' });
        for (const [aspect, { usage }, exchange] of [
          ['second-hits', again, second],
          ['streamed-hits', streamed, third],
        ] as const) {
          const own = { requirement: 'CACHE-006', aspect, exchange, twin: first };
          const expected = `${model}: cached_tokens above 0 for the same prompt sent again`;
          const actual = JSON.stringify(usage);
          must((usage?.prompt_tokens_details?.cached_tokens ?? 0) > 0, { ...own, expected, actual });
        }
      }
    }
  },
});
