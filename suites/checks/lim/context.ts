import { defineCheck } from '../../engine/check.ts';
import type { Kit } from '../../engine/kit.ts';
import { must, Untestable } from '../../engine/violation.ts';
import { type ChatModel, chatModel, surelyAbove } from '../../oracle/chat-catalogue.ts';
import { promptOfWords } from './long-prompt.ts';

export const maxTokensWithinWindow = defineCheck({
  id: 'lim.context.max-tokens',
  title:
    'on every model a max_tokens beyond its window is refused, and one of nine tenths of it is accepted (reading B-16)',
  requirements: ['LIM-016', 'ERR-025'],
  kind: 'example',
  needs: [],
  run: async (kit) => {
    for (const model of knownModels(kit)) {
      kit.countCase();
      const max_tokens = model.contextK * 900;
      const fits = await kit.chat(
        { ...kit.scene().minimal(model.id), max_tokens },
        { label: 'nine tenths of the window' },
      );
      const rule = { requirement: 'LIM-016', aspect: 'window' };
      kit.completed(fits, { ...rule, aspect: 'below-accepted', model: model.id, maxTokens: max_tokens });
      for (const above of [surelyAbove(model), model.contextK * 2_000, 2_000_000_000]) {
        const body = { ...kit.scene().minimal(model.id), max_tokens: above };
        const over = await kit.chat(body, { label: `max_tokens ${above}` });
        kit.refused(over, { ...rule, aspect: 'above-refused', codes: ['context_too_long'], twin: fits });
      }
    }
  },
});

export const windowIsExact = defineCheck({
  id: 'lim.context.exact',
  title:
    'prompt and max_tokens that fill the window to the last token are accepted, and one token more is refused',
  requirements: ['LIM-016'],
  kind: 'metamorphic',
  needs: ['context.tokenizer_exact'],
  run: async (kit) => {
    for (const model of knownModels(kit)) {
      for (const words of [1, 40, 2_000]) {
        kit.countCase();
        const body = kit.scene().minimal(model.id, promptOfWords(kit, words));
        const rule = { requirement: 'LIM-016', model: model.id };
        const first = await kit.chat({ ...body, max_tokens: 8 }, { label: 'prompt measured' });
        const { usage } = kit.completed(first, { ...rule, aspect: 'measured' });
        const room = model.contextK * (kit.profile.context.k ?? 1_000) - usage.prompt_tokens;
        const fits = await kit.chat(
          { ...body, max_tokens: room },
          { label: `the last token: max_tokens ${room}` },
        );
        kit.completed(fits, { ...rule, aspect: 'exact-accepted' });
        const over = await kit.chat(
          { ...body, max_tokens: room + 1 },
          { label: `one token more: ${room + 1}` },
        );
        kit.refused(over, { ...rule, aspect: 'exact-refused', codes: ['context_too_long'], twin: fits });
      }
    }
  },
});

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
    const half = kit.scene().minimal(model.id, promptOfWords(kit, model.contextK * 500));
    const fits = await kit.chat({ ...half, max_tokens: 16 }, { label: 'half the window' });
    kit.completed(fits, { ...rule, aspect: 'below-accepted' });
    // No vocabulary has tokens of several words, so words are a lower bound of tokens under every tokenizer.
    const words = model.contextK * 1_250;
    const one = kit.scene().minimal(model.id, promptOfWords(kit, words));
    const many = {
      ...one,
      messages: Array.from({ length: 25 }, () => ({ role: 'user', content: promptOfWords(kit, words / 25) })),
    };
    for (const [label, body] of Object.entries({
      'one message': one,
      'many messages': many,
      stream: { ...one, stream: true },
    })) {
      kit.countCase();
      const over = await kit.chat(body, { label: `beyond the window, ${label}` });
      kit.refused(over, { ...rule, aspect: 'above-refused', codes: ['context_too_long'], twin: fits });
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
    const scene = kit.scene();
    const bodies = [
      { ...scene.minimal(model.id), max_tokens: surelyAbove(model) },
      scene.minimal(model.id, promptOfWords(kit, model.contextK * 1_250)),
    ];
    for (const body of bodies) {
      kit.countCase();
      const refusal = await kit.chat(body, { label: 'too long' });
      kit.refused(refusal, { requirement: 'LIM-019', aspect: 'refused', codes: ['context_too_long'] });
    }
    const served = (await scene.requestsNow()).filter(({ entry }) => entry.reply.status === 200);
    must(served.length === 0, {
      requirement: 'LIM-019',
      aspect: 'no-completion',
      expected: 'no upstream answers the request with a completion',
      actual: `${served.length} of them did`,
      exchange: kit.sent.at(-1),
    });
  },
});

function knownModels(kit: Kit): ChatModel[] {
  return kit.models.flatMap((id) => chatModel(id) ?? []);
}

/** The model with the smallest window, where a long prompt costs least. */
function smallest(kit: Kit): ChatModel {
  const [first] = knownModels(kit).sort((one, other) => one.contextK - other.contextK);
  if (first === undefined) throw new Untestable('a chat model of the catalogue');
  return first;
}
