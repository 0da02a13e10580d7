import fc from 'fast-check';
import { defineCheck } from '../../engine/check.ts';
import { chatModel } from '../../oracle/chat-catalogue.ts';
import { textBlock } from '../../oracle/sample-images.ts';
import { must } from '../../rules/violation.ts';
import { nativeModels } from '../../steps/chat/upstream-view.ts';
import { hinted } from '../../steps/money/hinted.ts';

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
