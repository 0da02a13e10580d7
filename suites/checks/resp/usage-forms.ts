import { defineCheck } from '../../engine/check.ts';
import { must } from '../../rules/violation.ts';
import { withEachUsageForm } from '../../steps/money/each-usage-form.ts';

export const usageIsWhole = defineCheck({
  id: 'resp.usage.whole-prompt',
  title: 'usage counts all input and output tokens, however the upstream splits them up',
  requirements: ['RESP-018', 'RESP-022', 'SSE-011'],
  kind: 'upstream',
  needs: ['upstream.control'],
  run: (parts) =>
    withEachUsageForm(parts, ({ counts, usage, exchange, streamed }) => {
      const finding = { expected: JSON.stringify(counts), actual: JSON.stringify(usage), exchange };
      const input = { ...finding, requirement: 'RESP-018', aspect: 'total-includes-cache' };
      must(usage.prompt_tokens === counts.prompt_tokens, input);
      const output = { ...finding, requirement: streamed ? 'SSE-011' : 'RESP-022', aspect: 'verbatim' };
      must(usage.completion_tokens === counts.completion_tokens, output);
    }),
});
