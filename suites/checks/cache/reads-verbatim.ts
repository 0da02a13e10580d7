import { defineCheck } from '../../engine/check.ts';
import { must } from '../../rules/violation.ts';
import { withEachUsageForm } from '../../steps/money/each-usage-form.ts';

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
