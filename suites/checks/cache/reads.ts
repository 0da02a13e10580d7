import { defineCheck } from '../../engine/check.ts';
import { readNative } from '../../oracle/native/read.ts';
import { must } from '../../rules/violation.ts';
import { shown } from '../../steps/chat/upstream-view.ts';
import { withEachUsageForm } from '../../steps/money/each-usage-form.ts';
import { cacheModels, longRequest } from '../../steps/money/hinted.ts';
import { jsonOf } from '../../wire/exchange.ts';

export const readsAreVerbatim = defineCheck({
  id: 'cache.reads.verbatim',
  title: 'cached_tokens is exactly what the upstream read from its cache, whatever it also wrote',
  requirements: ['CACHE-007'],
  kind: 'upstream',
  needs: ['upstream.control'],
  run: (parts) =>
    withEachUsageForm(parts, ({ counts, usage, exchange }) => {
      const read = counts.cached_tokens ?? 0;
      // Absence counts as 0 (reading B-37).
      const rule = { requirement: 'CACHE-007', aspect: 'read-count', exchange };
      const expected = `cached_tokens ${read} of ${JSON.stringify(counts)}`;
      const actual = JSON.stringify(usage);
      must((usage.prompt_tokens_details?.cached_tokens ?? 0) === read, { ...rule, expected, actual });
    }),
});

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
