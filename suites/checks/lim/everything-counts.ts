import { defineCheck } from '../../engine/check.ts';
import type { CheckParts } from '../../engine/parts/check-parts.ts';
import type { Target } from '../../engine/parts/target.ts';
import type { JsonObject } from '../../engine/requests.ts';
import type { Scene } from '../../engine/scene.ts';
import { type ChatModel, chatModel, surelyAbove } from '../../oracle/chat-catalogue.ts';
import { textBlock } from '../../oracle/sample-images.ts';
import { part, Untestable } from '../../rules/violation.ts';
import { promptOfWords } from '../../steps/chat/leave-stream.ts';
import { type CountedPart, countedParts } from './counted-parts.ts';

const requirement = 'LIM-018';
const tooLong = { requirement, codes: ['context_too_long'] } as const;

/**
 * Judges that each part is refused beyond the window, accepted below half of it, and counted together with a large
 * max_tokens.
 */
export const everythingCounts = defineCheck({
  id: 'lim.context.everything',
  title: 'every message role, block, tool call, tool result and tool definition counts against the window',
  requirements: [requirement],
  kind: 'example',
  needs: [],
  run: async (parts) => {
    const [first, ...more] = smallestOfFamilies(parts.target);
    if (first === undefined) throw new Untestable('a chat model of the catalogue');
    for (const counted of parts.target.few(partsOf(first)))
      await part(() => judgeAlone(parts, first, counted));
    for (const model of parts.target.few([first, ...more])) await part(() => judgeSums(parts, model));
  },
});

async function judgeAlone(parts: CheckParts, model: ChatModel, { name, body }: CountedPart): Promise<void> {
  const { cases, http, judge, newScene } = parts;
  cases.count();
  const words = wordsOf(parts);
  // Quoted words may need more tokens, so the part that fits is well below the window.
  const small = body(words, model.contextK * 300);
  const fits = await http.chat(marked(newScene, model.id, small), {
    label: `three tenths of the window in ${name}`,
  });
  judge.completed(fits, { requirement, aspect: 'below-accepted', model: model.id });
  // No token spans several words, so words are a lower bound of tokens under every tokenizer.
  const large = body(words, model.contextK * 1_250);
  const over = await http.chat(marked(newScene, model.id, large), { label: `beyond the window in ${name}` });
  judge.refused(over, { ...tooLong, aspect: 'counts-too', twin: fits });
}

/** Judges each part with a max_tokens that leaves no room for it. An upstream may judge only the prompt. */
async function judgeSums(parts: CheckParts, model: ChatModel): Promise<void> {
  const { cases, http, judge, newScene, target } = parts;
  const max_tokens = model.contextK * 900;
  const short = { ...newScene().minimal(model.id), max_tokens };
  const fits = await http.chat(short, { label: `${model.id}: nine tenths of the window` });
  judge.completed(fits, { requirement, aspect: 'below-accepted', model: model.id, maxTokens: max_tokens });
  const count = Math.ceil(surelyAbove(model) * 1.02) - max_tokens;
  for (const [place, { name, body, isTolerated }] of target.few(partsOf(model)).entries())
    await part(async () => {
      for (const stream of cases.full ? [false, true] : [place % 2 === 1]) {
        cases.count();
        const streamed = stream ? { stream } : {};
        const long = { ...marked(newScene, model.id, body(wordsOf(parts), count)), max_tokens, ...streamed };
        const over = await http.chat(long, { label: `${model.id}: too much with ${name}` });
        if (isTolerated)
          judge.refused(over, {
            ...tooLong,
            codes: ['context_too_long', 'invalid_param'],
            aspect: 'sum-counts-too',
          });
        else judge.refused(over, { ...tooLong, aspect: 'sum-counts-too', twin: fits });
      }
    });
}

function wordsOf({ rng }: CheckParts): (count: number) => string {
  return (count) => promptOfWords(rng, Math.round(count));
}

/** A request in its own scene for a short answer. The scene's prompt ends the last turn. */
function marked(newScene: () => Scene, model: string, body: JsonObject): JsonObject {
  const { messages, ...more } = body;
  const turns = [...(messages as readonly JsonObject[])];
  const last = turns.pop();
  const prompt = newScene().prompt('And now?');
  const content = Array.isArray(last?.content) ? [...last.content, textBlock(prompt)] : prompt;
  return { model, messages: [...turns, { role: 'user', content }], max_tokens: 16, ...more };
}

function partsOf(model: ChatModel): CountedPart[] {
  return countedParts.filter(({ only }) => only?.(model) !== false);
}

/** The model of each family where a long prompt costs least, the shortest window first. Every model has tools. */
function smallestOfFamilies(target: Target): ChatModel[] {
  const models = target.models.flatMap((id) => chatModel(id) ?? []);
  const byWindow = models.sort((one, other) => one.contextK - other.contextK);
  return [...Map.groupBy(byWindow, ({ family }) => family).values()].flatMap(([first]) => first ?? []);
}
