import { type Check, defineCheck } from '../../engine/check.ts';
import { chatModel, surelyAbove } from '../../oracle/chat-catalogue.ts';
import { promptOfWords } from '../../steps/chat/long-prompt.ts';
import { refusedB } from './refused.ts';
import { answeredB, formsB, gammaModels } from './served.ts';

const requirement = 'COMPB-013';
const tooLong = { requirement, codes: ['context_too_long'] } as const;

const maxOutputTokens = defineCheck({
  id: 'compb.context.max-output-tokens',
  title: "maxOutputTokens beyond the model's window is answered 400 context_too_long",
  requirements: [requirement],
  kind: 'example',
  needs: ['compat.b'],
  run: async (parts) => {
    const { newScene, http, cases, target, judge } = parts;
    for (const id of gammaModels(target)) {
      const model = chatModel(id);
      if (model === undefined) continue;
      const small = { ...newScene().minimalB(), generationConfig: { maxOutputTokens: 4_096 } };
      const fits = await http.compatB(id, small, { label: `${id}: maxOutputTokens 4096` });
      answeredB(judge, fits, false, { requirement, aspect: 'below-accepted', model: id });
      for (const above of [surelyAbove(model), 2_500_000, 2_000_000_000]) {
        for (const stream of await formsB(parts)) {
          cases.count();
          const body = {
            ...newScene().minimalB(),
            generationConfig: { topP: 0.9, maxOutputTokens: above },
          };
          const over = await http.compatB(id, body, { stream, label: `${id}: maxOutputTokens ${above}` });
          refusedB(judge, over, { ...tooLong, aspect: 'above-refused', twin: fits });
        }
      }
    }
  },
});

const longPrompt = defineCheck({
  id: 'compb.context.prompt',
  title: 'a prompt well beyond the window is answered 400 context_too_long, in one turn or many',
  requirements: [requirement],
  kind: 'example',
  needs: ['compat.b'],
  run: async ({ http, newScene, cases, target, rng, judge }) => {
    const [smallest] = gammaModels(target)
      .flatMap((id) => chatModel(id) ?? [])
      .sort((one, other) => one.contextK - other.contextK);
    if (smallest === undefined) return;
    const { id, contextK } = smallest;
    const fits = await http.compatB(id, newScene().minimalB(promptOfWords(rng, 2_000)), {
      label: 'a fair prompt',
    });
    answeredB(judge, fits, false, { requirement, aspect: 'below-accepted', model: id });
    // No token spans several words, so words are a lower bound of tokens under every tokenizer.
    const words = contextK * 1_250;
    const one = newScene().minimalB(promptOfWords(rng, words));
    const many = {
      contents: Array.from({ length: 25 }, () => ({
        role: 'user',
        parts: [{ text: promptOfWords(rng, words / 50) }, { text: promptOfWords(rng, words / 50) }],
      })),
    };
    for (const [label, body] of Object.entries({ 'one part': one, 'many turns': many })) {
      cases.count();
      const over = await http.compatB(id, body, { label: `beyond the window, ${label}` });
      refusedB(judge, over, { ...tooLong, aspect: 'above-refused', twin: fits });
    }
  },
});

export const contextChecks: readonly Check[] = [maxOutputTokens, longPrompt];
