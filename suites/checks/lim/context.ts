import { defineCheck } from '../../engine/check.ts';
import type { CheckParts } from '../../engine/parts/check-parts.ts';
import type { Target } from '../../engine/parts/target.ts';
import type { JsonObject } from '../../engine/requests.ts';
import { type ChatModel, chatModel, surelyAbove } from '../../oracle/chat-catalogue.ts';
import { textBlock } from '../../oracle/sample-images.ts';
import { callOf, threeTools } from '../../oracle/sample-tools.ts';
import { must, Untestable } from '../../rules/violation.ts';
import { promptOfWords } from '../../steps/chat/leave-stream.ts';
import { dialectModels } from '../../steps/chat/upstream-view.ts';
import { fewTenants, sideBySide } from '../../steps/tenants/side-by-side.ts';
import type { Rng } from '../../values/seed.ts';

export const maxTokensWithinWindow = defineCheck({
  id: 'lim.context.max-tokens',
  title: "max_tokens beyond a model's window is refused, nine tenths of it accepted (reading B-16)",
  requirements: ['LIM-016', 'ERR-025'],
  kind: 'example',
  needs: [],
  run: async ({ cases, http, newScene, judge, target }) => {
    for (const model of knownModels(target)) {
      cases.count();
      const max_tokens = model.contextK * 900;
      const fits = await http.chat(
        { ...newScene().minimal(model.id), max_tokens },
        { label: 'nine tenths of the window' },
      );
      const rule = { requirement: 'LIM-016', aspect: 'window' };
      judge.completed(fits, { ...rule, aspect: 'below-accepted', model: model.id, maxTokens: max_tokens });
      for (const above of [surelyAbove(model), model.contextK * 2_000, 2_000_000_000]) {
        const body = { ...newScene().minimal(model.id), max_tokens: above };
        const over = await http.chat(body, { label: `max_tokens ${above}` });
        judge.refused(over, { ...rule, aspect: 'above-refused', codes: ['context_too_long'], twin: fits });
      }
    }
  },
});

export const windowIsExact = defineCheck({
  id: 'lim.context.exact',
  title: 'prompt plus max_tokens may fill the window to the last token; one token more is refused',
  requirements: ['LIM-016'],
  kind: 'metamorphic',
  needs: ['context.tokenizer_exact'],
  tenants: fewTenants,
  run: async (parts) => {
    const { newScene, target, rng } = parts;
    const windows = exactWindows(target);
    const lengths = windows.flatMap((model) => [1, 40, 2_000].map((words) => ({ model, words })));
    await sideBySide(parts, lengths, (own, { model, words }) =>
      judgeLastToken(own, model, own.newScene().minimal(model.id, promptOfWords(own.rng, words))),
    );
    // The whole prompt counts, and not only the last user turn.
    const dialects = dialectModels(target);
    for (const model of windows.filter(({ id }) => dialects.includes(id))) {
      const { messages } = newScene().minimal(model.id);
      const instructed = [{ role: 'system', content: promptOfWords(rng, 60) }, ...messages];
      const turns = [
        { role: 'user', content: 'Look it up.' },
        { role: 'assistant', content: null, tool_calls: [callOf('call_window')] },
        { role: 'tool', tool_call_id: 'call_window', content: promptOfWords(rng, 60) },
      ];
      await judgeLastToken(parts, model, { model: model.id, messages: instructed });
      await judgeLastToken(parts, model, { model: model.id, messages, tools: threeTools });
      await judgeLastToken(parts, model, { model: model.id, messages: inBlocks(rng, messages) });
      await judgeLastToken(parts, model, {
        model: model.id,
        messages: [...turns, ...messages],
        tools: threeTools,
        stream: true,
      });
    }
  },
});

export const promptWithinWindow = defineCheck({
  id: 'lim.context.prompt',
  title: 'a prompt well beyond the window is refused, and one of half the window is accepted',
  requirements: ['LIM-017', 'ERR-025'],
  kind: 'example',
  needs: [],
  run: async ({ newScene, http, judge, cases, target, rng }) => {
    const model = smallest(target);
    const rule = { requirement: 'LIM-017', model: model.id };
    const half = newScene().minimal(model.id, promptOfWords(rng, model.contextK * 500));
    const fits = await http.chat({ ...half, max_tokens: 16 }, { label: 'half the window' });
    judge.completed(fits, { ...rule, aspect: 'below-accepted' });
    for (const other of smallestOfFamilies(target).filter(({ id }) => id !== model.id)) {
      cases.count();
      const body = newScene().minimal(other.id, promptOfWords(rng, other.contextK * 1_250));
      const over = await http.chat(body, { label: `beyond the window of ${other.id}` });
      judge.refused(over, { ...rule, aspect: 'above-refused', codes: ['context_too_long'], twin: fits });
    }
    // No token spans several words, so words are a lower bound of tokens under every tokenizer.
    const words = model.contextK * 1_250;
    const one = newScene().minimal(model.id, promptOfWords(rng, words));
    const many = {
      ...one,
      messages: Array.from({ length: 25 }, () => ({ role: 'user', content: promptOfWords(rng, words / 25) })),
    };
    for (const [label, body] of Object.entries({
      'one message': one,
      'many messages': many,
      stream: { ...one, stream: true },
    })) {
      cases.count();
      const over = await http.chat(body, { label: `beyond the window, ${label}` });
      judge.refused(over, { ...rule, aspect: 'above-refused', codes: ['context_too_long'], twin: fits });
    }
  },
});

export const sumWithinWindow = defineCheck({
  id: 'lim.context.sum',
  title: 'a prompt and max_tokens that fit alone but together exceed the window are refused',
  requirements: ['LIM-016'],
  kind: 'example',
  needs: [],
  run: async ({ cases, newScene, http, judge, target, rng }) => {
    for (const model of smallestOfFamilies(target)) {
      cases.count();
      const share = model.contextK * 612;
      const rule = { requirement: 'LIM-016', model: model.id };
      const short = { ...newScene().minimal(model.id), max_tokens: share };
      const fits = await http.chat(short, { label: `${model.id}: max_tokens of six tenths of the window` });
      judge.completed(fits, { ...rule, aspect: 'below-accepted', maxTokens: share });
      // No token spans several words, so words are a lower bound of tokens under every tokenizer.
      const long = {
        ...newScene().minimal(model.id, promptOfWords(rng, share)),
        max_tokens: share,
      };
      for (const body of [long, { ...long, stream: true }]) {
        const over = await http.chat(body, { label: `${model.id}: as much again in the prompt` });
        judge.refused(over, { ...rule, aspect: 'sum-refused', codes: ['context_too_long'], twin: fits });
      }
    }
  },
});

export const sumInsideWindow = defineCheck({
  id: 'lim.context.sum-inside',
  title: 'a prompt and max_tokens that together use four fifths of the window are accepted',
  requirements: ['LIM-016'],
  kind: 'upstream',
  // An accepted request this long costs real money on real upstreams.
  needs: ['upstream.control'],
  run: async ({ cases, newScene, http, judge, target, rng }) => {
    for (const model of smallestOfFamilies(target)) {
      cases.count();
      const share = model.contextK * 400;
      const body = {
        ...newScene().minimal(model.id, promptOfWords(rng, model.contextK * 388)),
        max_tokens: share,
      };
      const fits = await http.chat(body, { label: `${model.id}: 0.8 of the window` });
      const rule = { requirement: 'LIM-016', aspect: 'sum-accepted', model: model.id, maxTokens: share };
      judge.completed(fits, rule);
    }
  },
});

export const tooLongHasNoEffect = defineCheck({
  id: 'lim.context.no-effect',
  title: 'a request refused for its length gets no completion from any upstream',
  requirements: ['LIM-019'],
  kind: 'upstream',
  needs: ['upstream.control'],
  run: async ({ newScene, cases, http, judge, target, rng }) => {
    const model = smallest(target);
    const scene = newScene();
    const bodies = [
      { ...scene.minimal(model.id), max_tokens: surelyAbove(model) },
      scene.minimal(model.id, promptOfWords(rng, model.contextK * 1_250)),
    ];
    for (const body of bodies) {
      cases.count();
      const refusal = await http.chat(body, { label: 'too long' });
      judge.refused(refusal, { requirement: 'LIM-019', aspect: 'refused', codes: ['context_too_long'] });
    }
    const served = (await scene.requestsNow()).filter(({ entry }) => entry.reply.status === 200);
    must(served.length === 0, {
      requirement: 'LIM-019',
      aspect: 'no-completion',
      expected: 'no completion of the request by an upstream',
      actual: `${served.length} of them did`,
      exchange: http.sent.at(-1),
    });
  },
});

/** The same turns after a turn with several blocks. */
function inBlocks(rng: Rng, messages: readonly JsonObject[]): JsonObject[] {
  const content = [1, 30, 2_500].map((count) => textBlock(promptOfWords(rng, count)));
  return [{ role: 'user', content }, { role: 'assistant', content: 'Yes.' }, ...messages];
}

/** Measures the prompt first, and derives from it the room that is left. */
async function judgeLastToken(
  { cases, http, judge }: CheckParts,
  model: { id: string; window: number },
  body: JsonObject,
): Promise<void> {
  cases.count();
  const rule = { requirement: 'LIM-016', model: model.id };
  const first = await http.chat({ ...body, stream: false, max_tokens: 8 }, { label: 'prompt measured' });
  const { usage } = judge.completed(first, { ...rule, aspect: 'measured' });
  const room = model.window - usage.prompt_tokens;
  const fits = await http.chat(
    { ...body, max_tokens: room },
    { label: `the last token: max_tokens ${room}` },
  );
  const accepted = { ...rule, aspect: 'exact-accepted' };
  if (body.stream === true) judge.streamed(fits, accepted);
  else judge.completed(fits, accepted);
  const over = await http.chat({ ...body, max_tokens: room + 1 }, { label: `one token more: ${room + 1}` });
  judge.refused(over, { ...rule, aspect: 'exact-refused', codes: ['context_too_long'], twin: fits });
}

/** Every model whose window in tokens is known, from the catalogue or the profile. */
function exactWindows(target: Target): { id: string; window: number }[] {
  const k = target.profile.context.k ?? 1_000;
  const extra = target.profile.chat.extra_models.flatMap(({ id, context_tokens: window }) =>
    window === undefined || target.models.includes(id) ? [] : [{ id, window }],
  );
  return [...knownModels(target).map(({ id, contextK }) => ({ id, window: contextK * k })), ...extra];
}

/** The model of each family with the smallest window, where a long prompt costs least. */
function smallestOfFamilies(target: Target): ChatModel[] {
  const byFamily = Map.groupBy(knownModels(target), ({ family }) => family);
  return [...byFamily.values()].flatMap(
    (models) => models.sort((one, other) => one.contextK - other.contextK)[0] ?? [],
  );
}

function knownModels(target: Target): ChatModel[] {
  return target.models.flatMap((id) => chatModel(id) ?? []);
}

/** The model with the smallest window, where a long prompt costs least. */
function smallest(target: Target): ChatModel {
  const [first] = knownModels(target).sort((one, other) => one.contextK - other.contextK);
  if (first === undefined) throw new Untestable('a chat model of the catalogue');
  return first;
}
