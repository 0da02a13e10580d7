import { defineCheck } from '../../engine/check.ts';
import { readNative } from '../../oracle/native/read.ts';
import { must } from '../../rules/violation.ts';
import { shown } from '../../steps/chat/upstream-view.ts';
import { cacheModels, longRequest } from '../../steps/money/hinted.ts';
import { jsonOf } from '../../wire/exchange.ts';

export const withoutHintsNothingIsWritten = defineCheck({
  id: 'cache.hints.none',
  title: 'without a cache hint the upstream gets none, and a repeated prompt is not read from cache',
  requirements: ['CACHE-008'],
  kind: 'upstream',
  needs: ['upstream.control'],
  run: async ({ newScene, cases, http, judge, target, rng }) => {
    for (const model of cacheModels(target)) {
      const scene = newScene();
      const long = longRequest(rng, scene, model, (block) => block);
      for (const time of ['the first', 'the second', 'the third']) {
        cases.count();
        const exchange = await http.chat(long, { label: `${model} without hints, ${time} time` });
        const rule = { requirement: 'CACHE-008', model };
        const { usage } = judge.completed(exchange, { ...rule, aspect: 'accepted' });
        const own = { requirement: 'CACHE-008', exchange, actual: JSON.stringify(usage) };
        for (const request of await scene.requestsNow()) {
          const hints = readNative(request.entry.request.path, request.text)?.hints ?? [];
          const found = {
            ...own,
            aspect: 'no-hint',
            actual: JSON.stringify(hints),
            upstream: shown(request),
          };
          must(hints.length === 0, { ...found, expected: 'no cache_control at the upstream' });
        }
        const read = usage.prompt_tokens_details?.cached_tokens ?? 0;
        must(read === 0, { ...own, aspect: 'no-read', expected: 'cached_tokens 0' });
        const written = writtenTokens(jsonOf(exchange));
        must(written === 0, { ...own, aspect: 'no-write', expected: 'no tokens written to a cache' });
      }
    }
  },
});

/** As an extension, a gateway may report how many tokens were written (reading B-42). */
function writtenTokens(answer: unknown): unknown {
  const { usage } = answer as { usage?: { prompt_tokens_details?: { cache_write_tokens?: unknown } | null } };
  return usage?.prompt_tokens_details?.cache_write_tokens ?? 0;
}
