import { defineCheck } from '../../engine/check.ts';
import type { CheckParts } from '../../engine/parts/check-parts.ts';
import type { Target } from '../../engine/parts/target.ts';
import type { JsonObject } from '../../engine/requests.ts';
import { type ChatModel, chatModel, surelyAbove } from '../../oracle/chat-catalogue.ts';
import { part } from '../../rules/violation.ts';
import { promptOfWords } from '../../steps/chat/leave-stream.ts';
import type { Exchange } from '../../wire/exchange.ts';
import { refusedB } from './refused.ts';
import { answeredB, formsB, gammaModels } from './served.ts';

const requirement = 'COMPB-013';
const tooLong = { requirement, codes: ['context_too_long'] } as const;

export const maxOutputTokens = defineCheck({
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

export const longPrompt = defineCheck({
  id: 'compb.context.prompt',
  title: 'a prompt well beyond the window is answered 400 context_too_long, wherever its length is',
  requirements: [requirement],
  kind: 'example',
  needs: ['compat.b'],
  run: async ({ http, newScene, cases, target, rng, judge }) => {
    const [smallest] = smallestFirst(target);
    if (smallest === undefined) return;
    const { id, contextK } = smallest;
    const fits = await http.compatB(id, newScene().minimalB(promptOfWords(rng, 2_000)), {
      label: 'a fair prompt',
    });
    answeredB(judge, fits, false, { requirement, aspect: 'below-accepted', model: id });
    // No token spans several words, so words are a lower bound of tokens under every tokenizer.
    const words = contextK * 1_250;
    const { contents } = newScene().minimalB();
    for (const [label, body] of target.few(Object.entries(longPlaces(promptOfWords(rng, words), contents)))) {
      cases.count();
      const over = await http.compatB(id, body, { label: `beyond the window, ${label}` });
      refusedB(judge, over, { ...tooLong, aspect: 'above-refused', twin: fits });
    }
  },
});

/** Upstreams allow less output than a window holds, so the prompt has to take nearly all of it. */
export const exactWindow = defineCheck({
  id: 'compb.context.exact',
  title: 'a prompt and maxOutputTokens may fill the window exactly, and one token more is refused',
  requirements: [requirement],
  kind: 'metamorphic',
  needs: ['compat.b', 'context.tokenizer_exact'],
  run: async (parts) => {
    const { http, newScene, cases, target, rng, judge } = parts;
    const [smallest] = smallestFirst(target);
    if (smallest === undefined) return;
    const { id, contextK } = smallest;
    const window = contextK * (target.profile.context.k ?? 1_000);
    const { contents } = newScene().minimalB(promptOfWords(rng, window - 20_000));
    const ask = (maxOutputTokens: number, stream = false): Promise<Exchange> => {
      cases.count();
      const body = { contents, generationConfig: { maxOutputTokens } };
      return http.compatB(id, body, { stream, label: `${id}: maxOutputTokens ${maxOutputTokens}` });
    };
    const served = { requirement, aspect: 'below-accepted', model: id };
    const measured = answeredB(judge, await ask(8), false, served);
    const room = window - (measured.usage.promptTokenCount ?? 0);
    const fits = await ask(room);
    answeredB(judge, fits, false, served);
    for (const stream of await formsB(parts))
      refusedB(judge, await ask(room + 1, stream), { ...tooLong, aspect: 'sum-refused', twin: fits });
    await judgeSums(parts, id, room, fits);
  },
});

/** A long text outside the first part, with more output than fits in the rest of the window. */
async function judgeSums(parts: CheckParts, id: string, room: number, twin: Exchange): Promise<void> {
  const { http, newScene, cases, target, rng, judge } = parts;
  const words = (chatModel(id)?.contextK ?? 0) * (target.profile.context.k ?? 1_000) - 20_000;
  const [onePart, twoParts, ...more] = Object.entries(
    longPlaces(promptOfWords(rng, words), newScene().minimalB().contents),
  );
  const places = [twoParts, ...(cases.full ? [onePart, ...more] : [rng.pick(more)])];
  for (const [place, [label, body]] of places.flatMap((one) => (one === undefined ? [] : [one])).entries())
    await part(async () => {
      cases.count();
      const stream = place % 2 === 1 && (await formsB(parts)).includes(true);
      const generationConfig = { maxOutputTokens: room + 20_000 };
      const asked = { stream, label: `${id}: too much with ${label}` };
      const over = await http.compatB(id, { ...body, generationConfig }, asked);
      refusedB(judge, over, { ...tooLong, aspect: 'sum-refused', twin });
    });
}

/** The enabled gamma models, smallest context window first. */
function smallestFirst(target: Target): ChatModel[] {
  return gammaModels(target)
    .flatMap((id) => chatModel(id) ?? [])
    .sort((one, other) => one.contextK - other.contextK);
}

/** A long text in every place of a native request that counts. */
function longPlaces(long: string, contents: readonly JsonObject[]): Record<string, JsonObject> {
  const half = { text: long.slice(0, long.indexOf(' ', long.length / 2)) };
  const asked = { role: 'user', parts: [{ text: 'Go on.' }] };
  const declared = (description: string): JsonObject => ({
    tools: [{ functionDeclarations: [{ name: 'look_up', description, parameters: { type: 'object' } }] }],
  });
  const called = (args: JsonObject, response: JsonObject): JsonObject => ({
    ...declared('Looks it up.'),
    contents: [
      asked,
      {
        role: 'model',
        parts: [{ functionCall: { name: 'look_up', args }, thoughtSignature: 'c2VhLXNlYQ==' }],
      },
      { role: 'user', parts: [{ functionResponse: { name: 'look_up', response } }] },
    ],
  });
  return {
    'one part': { contents: [{ role: 'user', parts: [{ text: long }] }] },
    'two parts': { contents: [{ role: 'user', parts: [half, half] }] },
    'two turns': {
      contents: [{ role: 'user', parts: [half] }, { role: 'user', parts: [half] }, ...contents],
    },
    'an earlier answer': { contents: [asked, { role: 'model', parts: [{ text: long }] }, ...contents] },
    instructions: { systemInstruction: { parts: [{ text: long }] }, contents },
    'the arguments of a call': called({ word: long }, { found: true }),
    'the result of a call': called({ word: 'sea' }, { found: long }),
    'the description of a tool': { ...declared(long), contents },
  };
}
