import { defineCheck } from '../../engine/check.ts';
import type { CheckParts } from '../../engine/parts/check-parts.ts';
import type { JsonObject } from '../../engine/requests.ts';
import { type ChatModel, chatModel, surelyAbove } from '../../oracle/chat-catalogue.ts';
import { callOf, threeTools } from '../../oracle/sample-tools.ts';
import { must, Untestable } from '../../rules/violation.ts';
import { promptOfWords } from '../../steps/chat/long-prompt.ts';
import { dialectModels } from '../../steps/chat/upstream-view.ts';

export const maxTokensWithinWindow = defineCheck({
  id: 'lim.context.max-tokens',
  title:
    'on every model a max_tokens beyond its window is refused, and one of nine tenths of it is accepted (reading B-16)',
  requirements: ['LIM-016', 'ERR-025'],
  kind: 'example',
  needs: [],
  run: async (kit) => {
    for (const model of knownModels(kit)) {
      kit.cases.count();
      const max_tokens = model.contextK * 900;
      const fits = await kit.http.chat(
        { ...kit.newScene().minimal(model.id), max_tokens },
        { label: 'nine tenths of the window' },
      );
      const rule = { requirement: 'LIM-016', aspect: 'window' };
      kit.judge.completed(fits, {
        ...rule,
        aspect: 'below-accepted',
        model: model.id,
        maxTokens: max_tokens,
      });
      for (const above of [surelyAbove(model), model.contextK * 2_000, 2_000_000_000]) {
        const body = { ...kit.newScene().minimal(model.id), max_tokens: above };
        const over = await kit.http.chat(body, { label: `max_tokens ${above}` });
        kit.judge.refused(over, {
          ...rule,
          aspect: 'above-refused',
          codes: ['context_too_long'],
          twin: fits,
        });
      }
    }
  },
});

export const windowIsExact = defineCheck({
  id: 'lim.context.exact',
  title:
    'on every model, prompt and max_tokens that fill the window to the last token are accepted, and one token more is refused',
  requirements: ['LIM-016'],
  kind: 'metamorphic',
  needs: ['context.tokenizer_exact'],
  run: async (kit) => {
    const windows = exactWindows(kit);
    for (const model of windows) {
      for (const words of [1, 40, 2_000])
        await judgeLastToken(kit, model, kit.newScene().minimal(model.id, promptOfWords(kit, words)));
    }
    // Everything of a prompt counts, not only what the user says last.
    const dialects = dialectModels(kit);
    for (const model of windows.filter(({ id }) => dialects.includes(id))) {
      const { messages } = kit.newScene().minimal(model.id);
      const instructed = [{ role: 'system', content: promptOfWords(kit, 60) }, ...messages];
      const turns = [
        { role: 'user', content: 'Look it up.' },
        { role: 'assistant', content: null, tool_calls: [callOf('call_window')] },
        { role: 'tool', tool_call_id: 'call_window', content: promptOfWords(kit, 60) },
      ];
      await judgeLastToken(kit, model, { model: model.id, messages: instructed });
      await judgeLastToken(kit, model, { model: model.id, messages, tools: threeTools });
      await judgeLastToken(kit, model, {
        model: model.id,
        messages: [...turns, ...messages],
        tools: threeTools,
        stream: true,
      });
    }
  },
});

/** The room that a prompt leaves is measured first. */
async function judgeLastToken(
  kit: CheckParts,
  model: { id: string; window: number },
  body: JsonObject,
): Promise<void> {
  kit.cases.count();
  const rule = { requirement: 'LIM-016', model: model.id };
  const first = await kit.http.chat({ ...body, stream: false, max_tokens: 8 }, { label: 'prompt measured' });
  const { usage } = kit.judge.completed(first, { ...rule, aspect: 'measured' });
  const room = model.window - usage.prompt_tokens;
  const fits = await kit.http.chat(
    { ...body, max_tokens: room },
    { label: `the last token: max_tokens ${room}` },
  );
  const accepted = { ...rule, aspect: 'exact-accepted' };
  if (body.stream === true) kit.judge.streamed(fits, accepted);
  else kit.judge.completed(fits, accepted);
  const over = await kit.http.chat(
    { ...body, max_tokens: room + 1 },
    { label: `one token more: ${room + 1}` },
  );
  kit.judge.refused(over, { ...rule, aspect: 'exact-refused', codes: ['context_too_long'], twin: fits });
}

export const promptWithinWindow = defineCheck({
  id: 'lim.context.prompt',
  title:
    'a prompt well beyond the window is refused, in one message or many, and one of half the window is accepted',
  requirements: ['LIM-017', 'ERR-025'],
  kind: 'example',
  needs: [],
  run: async (kit) => {
    const model = smallest(kit);
    const rule = { requirement: 'LIM-017', model: model.id };
    const half = kit.newScene().minimal(model.id, promptOfWords(kit, model.contextK * 500));
    const fits = await kit.http.chat({ ...half, max_tokens: 16 }, { label: 'half the window' });
    kit.judge.completed(fits, { ...rule, aspect: 'below-accepted' });
    for (const other of smallestOfFamilies(kit).filter(({ id }) => id !== model.id)) {
      kit.cases.count();
      const body = kit.newScene().minimal(other.id, promptOfWords(kit, other.contextK * 1_250));
      const over = await kit.http.chat(body, { label: `beyond the window of ${other.id}` });
      kit.judge.refused(over, { ...rule, aspect: 'above-refused', codes: ['context_too_long'], twin: fits });
    }
    // No vocabulary has tokens of several words, so words are a lower bound of tokens under every tokenizer.
    const words = model.contextK * 1_250;
    const one = kit.newScene().minimal(model.id, promptOfWords(kit, words));
    const many = {
      ...one,
      messages: Array.from({ length: 25 }, () => ({ role: 'user', content: promptOfWords(kit, words / 25) })),
    };
    for (const [label, body] of Object.entries({
      'one message': one,
      'many messages': many,
      stream: { ...one, stream: true },
    })) {
      kit.cases.count();
      const over = await kit.http.chat(body, { label: `beyond the window, ${label}` });
      kit.judge.refused(over, { ...rule, aspect: 'above-refused', codes: ['context_too_long'], twin: fits });
    }
  },
});

export const sumWithinWindow = defineCheck({
  id: 'lim.context.sum',
  title:
    'on every family a prompt and max_tokens that each fit but together exceed the window by a fifth are refused',
  requirements: ['LIM-016'],
  kind: 'example',
  needs: [],
  run: async (kit) => {
    for (const model of smallestOfFamilies(kit)) {
      kit.cases.count();
      const share = model.contextK * 612;
      const rule = { requirement: 'LIM-016', model: model.id };
      const short = { ...kit.newScene().minimal(model.id), max_tokens: share };
      const fits = await kit.http.chat(short, {
        label: `${model.id}: max_tokens of six tenths of the window`,
      });
      kit.judge.completed(fits, { ...rule, aspect: 'below-accepted', maxTokens: share });
      // No vocabulary has tokens of several words, so words are a lower bound of tokens under every tokenizer.
      const long = {
        ...kit.newScene().minimal(model.id, promptOfWords(kit, share)),
        max_tokens: share,
      };
      for (const body of [long, { ...long, stream: true }]) {
        const over = await kit.http.chat(body, { label: `${model.id}: as much again in the prompt` });
        kit.judge.refused(over, { ...rule, aspect: 'sum-refused', codes: ['context_too_long'], twin: fits });
      }
    }
  },
});

export const sumInsideWindow = defineCheck({
  id: 'lim.context.sum-inside',
  title: 'on every family a prompt and max_tokens that together make four fifths of the window are accepted',
  requirements: ['LIM-016'],
  kind: 'upstream',
  // Accepting it costs real money on a deployment with real upstreams.
  needs: ['upstream.control'],
  run: async (kit) => {
    for (const model of smallestOfFamilies(kit)) {
      kit.cases.count();
      const share = model.contextK * 400;
      const body = {
        ...kit.newScene().minimal(model.id, promptOfWords(kit, model.contextK * 388)),
        max_tokens: share,
      };
      const fits = await kit.http.chat(body, { label: `${model.id}: 0.8 of the window` });
      const rule = { requirement: 'LIM-016', aspect: 'sum-accepted', model: model.id, maxTokens: share };
      kit.judge.completed(fits, rule);
    }
  },
});

export const tooLongHasNoEffect = defineCheck({
  id: 'lim.context.no-effect',
  title: 'a request refused for its length gets no completion from any upstream',
  requirements: ['LIM-019'],
  kind: 'upstream',
  needs: ['upstream.control'],
  run: async (kit) => {
    const model = smallest(kit);
    const scene = kit.newScene();
    const bodies = [
      { ...scene.minimal(model.id), max_tokens: surelyAbove(model) },
      scene.minimal(model.id, promptOfWords(kit, model.contextK * 1_250)),
    ];
    for (const body of bodies) {
      kit.cases.count();
      const refusal = await kit.http.chat(body, { label: 'too long' });
      kit.judge.refused(refusal, { requirement: 'LIM-019', aspect: 'refused', codes: ['context_too_long'] });
    }
    const served = (await scene.requestsNow()).filter(({ entry }) => entry.reply.status === 200);
    must(served.length === 0, {
      requirement: 'LIM-019',
      aspect: 'no-completion',
      expected: 'no upstream answers the request with a completion',
      actual: `${served.length} of them did`,
      exchange: kit.http.sent.at(-1),
    });
  },
});

/** Every model with the number of tokens in its window: the catalogue's, and those of the profile that say theirs. */
function exactWindows(kit: CheckParts): { id: string; window: number }[] {
  const k = kit.target.profile.context.k ?? 1_000;
  const extra = kit.target.profile.chat.extra_models.flatMap(({ id, context_tokens: window }) =>
    window === undefined ? [] : [{ id, window }],
  );
  return [...knownModels(kit).map(({ id, contextK }) => ({ id, window: contextK * k })), ...extra];
}

/** The model of each family with the smallest window, where a long prompt costs least. */
function smallestOfFamilies(kit: CheckParts): ChatModel[] {
  const byFamily = Map.groupBy(knownModels(kit), ({ family }) => family);
  return [...byFamily.values()].flatMap(
    (models) => models.sort((one, other) => one.contextK - other.contextK)[0] ?? [],
  );
}

function knownModels(kit: CheckParts): ChatModel[] {
  return kit.target.models.flatMap((id) => chatModel(id) ?? []);
}

/** The model with the smallest window, where a long prompt costs least. */
function smallest(kit: CheckParts): ChatModel {
  const [first] = knownModels(kit).sort((one, other) => one.contextK - other.contextK);
  if (first === undefined) throw new Untestable('a chat model of the catalogue');
  return first;
}
