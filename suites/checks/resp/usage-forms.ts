import { type Check, defineCheck } from '../../engine/check.ts';
import type { Kit } from '../../engine/kit.ts';
import type { NativeCounts } from '../../generators/native/answer.ts';
import { usageForms } from '../../generators/usage-forms.ts';
import { plainAccepted, streamAccepted } from '../../oracle/accepted.ts';
import type { Usage } from '../../oracle/completion.ts';
import { dialectOf } from '../../oracle/native/dialects.ts';
import { must } from '../../rules/violation.ts';
import { dialectModels } from '../../steps/chat/upstream-view.ts';
import type { Exchange } from '../../wire/exchange.ts';

/** What the caller was told of an upstream's count. */
interface Told {
  readonly counts: NativeCounts;
  readonly usage: Usage;
  readonly exchange: Exchange;
  readonly streamed: boolean;
}

const wholePrompt = defineCheck({
  id: 'resp.usage.whole-prompt',
  title:
    'prompt_tokens is all input and completion_tokens all output, whether the upstream counts cached, written and thought tokens inside or beside them',
  requirements: ['RESP-018', 'RESP-022', 'SSE-011'],
  kind: 'upstream',
  needs: ['upstream.control'],
  run: (kit) =>
    withEachForm(kit, ({ counts, usage, exchange, streamed }) => {
      const finding = { expected: JSON.stringify(counts), actual: JSON.stringify(usage), exchange };
      must(usage.prompt_tokens === counts.prompt_tokens, {
        ...finding,
        requirement: 'RESP-018',
        aspect: 'total-includes-cache',
      });
      must(usage.completion_tokens === counts.completion_tokens, {
        ...finding,
        requirement: streamed ? 'SSE-011' : 'RESP-022',
        aspect: 'verbatim',
      });
    }),
});

const readsAreVerbatim = defineCheck({
  id: 'cache.reads.verbatim',
  title:
    'cached_tokens is what the upstream read from its cache, no more and no less, whatever it wrote beside it',
  requirements: ['CACHE-007'],
  kind: 'upstream',
  needs: ['upstream.control'],
  run: (kit) =>
    withEachForm(kit, ({ counts, usage, exchange }) => {
      const read = counts.cached_tokens ?? 0;
      // Absence counts as 0 (reading B-37).
      must((usage.prompt_tokens_details?.cached_tokens ?? 0) === read, {
        requirement: 'CACHE-007',
        aspect: 'read-count',
        expected: `cached_tokens ${read} of ${JSON.stringify(counts)}`,
        actual: JSON.stringify(usage),
        exchange,
      });
    }),
});

export const usageFormChecks: readonly Check[] = [wholePrompt, readsAreVerbatim];

/** Every form of usage of every dialect, plain and streamed. */
async function withEachForm(kit: Kit, judge: (told: Told) => void): Promise<void> {
  for (const model of dialectModels(kit)) {
    for (const { label, counts, reply } of usageForms(dialectOf(model))) {
      for (const streamed of [false, true]) {
        kit.countCase();
        const scene = kit.scene();
        await scene.script(reply(streamed));
        const body = { ...scene.minimal(model), ...(streamed ? { stream: true } : {}) };
        const exchange = await kit.chat(body, { label: `${model}: ${label}` });
        const { usage } = streamed
          ? kit.streamed(exchange, { ...streamAccepted, model })
          : kit.completed(exchange, { ...plainAccepted, model });
        judge({ counts, usage, exchange, streamed });
      }
    }
  }
}
