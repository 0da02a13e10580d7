import fc from 'fast-check';
import { defineCheck } from '../../engine/check.ts';
import { chatModel } from '../../oracle/chat-catalogue.ts';
import { readNative } from '../../oracle/native/read.ts';
import { textBlock } from '../../oracle/sample-images.ts';
import { must } from '../../rules/violation.ts';
import { nativeModels, shown } from '../../steps/chat/upstream-view.ts';
import { withEachUsageForm } from '../../steps/money/each-usage-form.ts';
import { cacheModels, hinted, longRequest } from '../../steps/money/hinted.ts';
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

const promptTokens = 5_000;

const noneMadeUp = { requirement: 'CACHE-009', aspect: 'no-read-made-up' };
const allReported = { requirement: 'CACHE-007', aspect: 'read-reported' };

/** What an upstream reports over the calls of one conversation: reads while the slot lives, then none. */
const reports = fc.array(fc.oneof(fc.integer({ min: 1, max: promptTokens }), fc.constant(0)), {
  minLength: 2,
  maxLength: 4,
});

export const readsAreNotMasked = defineCheck({
  id: 'cache.reads.reported',
  title: 'on every model cached_tokens equals what the upstream read from its cache, call by call',
  requirements: ['CACHE-007', 'CACHE-009'],
  kind: 'property',
  needs: ['upstream.control'],
  run: async ({ cases, newScene, http, judge, target }) => {
    const models = nativeModels(target);
    const honours = (model: string): boolean => chatModel(model)?.cache === true;
    const hinting = models.filter(honours);
    await cases.forAll(
      fc.record({ reads: reports, model: fc.constantFrom(...models), stream: fc.boolean() }),
      async ({ reads, model, stream }) => {
        const scene = newScene();
        const usage = { prompt_tokens: promptTokens, completion_tokens: 4 };
        await scene.script(
          ...reads.map((cached_tokens) => ({ text: 'The sea.', usage: { ...usage, cached_tokens } })),
        );
        const block = textBlock(scene.prompt());
        const content = [honours(model) ? hinted(block) : block];
        const body = { model, messages: [{ role: 'user', content }], ...(stream ? { stream } : {}) };
        for (const [index, read] of reads.entries()) {
          const exchange = await http.chat(body, { label: `call ${index + 1}: the upstream read ${read}` });
          const rule = { requirement: 'CACHE-007', aspect: 'accepted', model };
          const answer = stream ? judge.streamed(exchange, rule) : judge.completed(exchange, rule);
          const reported = answer.usage?.prompt_tokens_details?.cached_tokens ?? 0;
          const own = read === 0 ? noneMadeUp : allReported;
          const actual = JSON.stringify(answer.usage);
          must(reported === read, { ...own, expected: `cached_tokens ${read}`, actual, exchange });
        }
      },
      {
        quick: 20,
        examples: [...hinting, ...models.slice(0, 1)].map((model, index) => ({
          reads: [0, promptTokens, 0],
          model,
          stream: index % 2 === 1,
        })),
      },
    );
  },
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
