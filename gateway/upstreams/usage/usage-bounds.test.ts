import fc from 'fast-check';
import { expect, it } from 'vitest';
import { readReport } from './read-report.ts';
import { UsageTally } from './usage-tally.ts';

it('computes no negative count and no part above its total, whatever is reported', () => {
  const count = fc.oneof(fc.nat(2_000), fc.constantFrom(0, null, -1, 1.5, '12', 'x', 1e12, undefined));
  const names = [
    ...['prompt_tokens', 'completion_tokens', 'total_tokens', 'cached_tokens', 'reasoning_tokens'],
    ...['input_tokens', 'output_tokens', 'cache_read_input_tokens', 'cache_creation_input_tokens'],
    ...['promptTokenCount', 'candidatesTokenCount', 'thoughtsTokenCount', 'totalTokenCount'],
  ];
  const report = fc.dictionary(fc.constantFrom(...names), count, { maxKeys: 6 });
  fc.assert(
    fc.property(fc.array(report, { maxLength: 5 }), (reports) => {
      const tally = new UsageTally();
      let before = 0;
      for (const usage of reports) {
        tally.take({ usage });
        const { counts } = readReport(usage);
        const now = tally.usage();
        if (now === null) continue;
        const parts = now.cachedTokens + now.cacheWrite5mTokens + now.cacheWrite1hTokens;
        expect(
          Math.min(...[now.cachedTokens, now.cacheWrite5mTokens, now.cacheWrite1hTokens]),
        ).toBeGreaterThanOrEqual(0);
        expect(parts).toBeLessThanOrEqual(now.promptTokens);
        expect(now.reasoningTokens ?? 0).toBeLessThanOrEqual(now.completionTokens);
        expect(now.completionTokens).toBeGreaterThanOrEqual(Math.max(before, counts.completion ?? 0));
        before = Math.max(before, counts.completion ?? 0);
      }
    }),
  );
});
