import { defineCheck } from '../../engine/check.ts';
import type { CheckParts } from '../../engine/parts/check-parts.ts';
import type { JsonObject } from '../../engine/requests.ts';
import { type CacheControlForm, cacheTtlForms, cacheTypeForms } from '../../oracle/cache-control-forms.ts';
import { lifeOf } from '../../oracle/cache-slots.ts';
import { chatModel } from '../../oracle/chat-catalogue.ts';
import type { ErrorCode } from '../../oracle/error-table.ts';
import { imageBlock, textBlock } from '../../oracle/sample-images.ts';
import { oneTool } from '../../oracle/sample-tools.ts';
import { must } from '../../rules/violation.ts';
import { judgeAccepted, judgeCell } from '../../steps/chat/judge-cell.ts';
import { nativeRequest, shown } from '../../steps/chat/upstream-view.ts';
import { cacheModels, hinted } from '../../steps/money/hinted.ts';
import { type Exchange, isSuccess } from '../../wire/exchange.ts';

export const hintsAreTaken = defineCheck({
  id: 'msg.cache.accepted',
  title: 'cache_control is accepted on text and image blocks of beta-* models, plain and streamed',
  requirements: ['MSG-026', 'MSG-029'],
  kind: 'example',
  needs: [],
  run: async ({ cases, newScene, http, target, judge }) => {
    for (const model of target.few(cacheModels(target))) {
      const blocks = [hinted(textBlock('Before.'), '1h'), hinted(textBlock('Between.'))];
      const image = chatModel(model)?.vision === true ? [hinted(imageBlock())] : [];
      const contents = [[blocks[0]], [blocks[1]], blocks, image].filter(({ length }) => length > 0);
      const calls = contents.flatMap((content) => [false, true].map((stream) => ({ content, stream })));
      for (const { content, stream } of target.few(calls, ({ content }) => String(content === image))) {
        cases.count();
        const messages = [{ role: 'user', content: [...content, textBlock(newScene().prompt())] }];
        const body: JsonObject = { model, messages, ...(stream ? { stream } : {}) };
        const exchange = await http.chat(body, { label: `${content.length} hints on ${model}` });
        judgeAccepted(judge, body, exchange, { requirement: 'MSG-029', aspect: 'hint-accepted' });
      }
    }
  },
});

export const typeIsEphemeral = defineCheck({
  id: 'msg.cache.type',
  title: 'cache_control has type ephemeral, and any other type is refused on beta-* models',
  requirements: ['MSG-027'],
  kind: 'example',
  needs: [],
  run: (parts) => judgeForms(parts, cacheTypeForms),
});

export const ttlIsKnown = defineCheck({
  id: 'msg.cache.ttl',
  title: 'beta-* models accept cache_control with ttl 1h or without ttl, and refuse unknown ttls',
  requirements: ['MSG-028'],
  kind: 'example',
  needs: [],
  run: (parts) => judgeForms(parts, cacheTtlForms),
});

export const ttlChoosesTheSlot = defineCheck({
  id: 'msg.cache.slot',
  title: 'ttl 1h reaches the upstream as the one-hour cache slot, no ttl as the five-minute one',
  requirements: ['MSG-028', 'MSG-029'],
  kind: 'upstream',
  needs: ['upstream.control'],
  run: async (parts) => {
    const { cases, newScene, http, judge } = parts;
    for (const model of cacheModels(parts.target)) {
      const block = chatModel(model)?.vision === true ? imageBlock() : textBlock('Before.');
      for (const ttl of ['1h', '5m', null] as const) {
        for (const target of [textBlock('Long.'), block]) {
          cases.count();
          const scene = newScene();
          const content = [hinted(target, ttl), textBlock(scene.prompt())];
          const label = `ttl ${ttl ?? 'absent'} on ${model}`;
          const exchange = await http.chat({ model, messages: [{ role: 'user', content }] }, { label });
          judge.completed(exchange, { requirement: 'MSG-028', aspect: 'ttl-accepted', model });
          const native = await nativeRequest(scene, 'MSG-029', exchange);
          const own = { exchange, upstream: shown(native), actual: JSON.stringify(native.view.hints) };
          const [hint, ...others] = native.view.hints;
          const arrival = { ...own, requirement: 'MSG-029', aspect: 'hint-arrives' };
          const isOne = hint?.type === 'ephemeral' && others.length === 0;
          must(isOne, { ...arrival, expected: 'one ephemeral hint at the upstream' });
          const life = lifeOf(ttl);
          const aspect = life === '1h' ? 'one-hour' : 'five-minutes';
          const slot = { ...own, requirement: 'MSG-028', aspect };
          must(lifeOf(hint?.ttl) === life, { ...slot, expected: `the slot of ${life}` });
        }
      }
    }
  },
});

/** A hint is dropped, or refused as a capability that the model lacks (reading B-29). */
export const hintsElsewhere = defineCheck({
  id: 'msg.cache.elsewhere',
  title: 'a cache hint on another model is dropped before the upstream, or refused cleanly',
  requirements: ['MSG-030'],
  kind: 'example',
  needs: [],
  run: async ({ target, cases, newScene, http, judge }) => {
    const extra = target.profile.chat.extra_models.filter(
      ({ capabilities }) => !capabilities.includes('cache'),
    );
    const others = target.models.filter((id) => chatModel(id)?.cache === false);
    for (const model of target.few([...others, ...extra.map(({ id }) => id)])) {
      for (const { place, ttl, block, tool, dropped = 'not-passed-on' } of hintsElsewhereOf(model)) {
        cases.count();
        const scene = newScene();
        const tools = tool === undefined ? {} : { tools: [tool] };
        const messages = [{ role: 'user', content: [block, textBlock(scene.prompt())] }];
        const label = `a hint of ${ttl ?? 'no ttl'} on ${place} of ${model}`;
        const exchange = await http.chat({ model, messages, ...tools }, { label });
        const rule = { requirement: 'MSG-030', aspect: 'clean-either-way' };
        if (!isSuccess(exchange)) {
          // The specification defines hints for message content only.
          const codes: ErrorCode[] = [
            'unsupported_capability',
            ...(tool === undefined ? [] : ['invalid_param' as const]),
          ];
          judge.refused(exchange, { ...rule, codes });
          continue;
        }
        judge.completed(exchange, { ...rule, model });
        if (target.profile.upstream === undefined) continue;
        const native = await nativeRequest(scene, 'MSG-030', exchange);
        const { hints } = native.view;
        const found = { exchange, upstream: shown(native), actual: JSON.stringify(hints) };
        const notPassedOn = { requirement: 'MSG-030', aspect: dropped, ...found };
        must(hints.length === 0, { ...notPassedOn, expected: 'no cache_control at the upstream' });
      }
    }
  },
});

interface HintElsewhere {
  readonly place: string;
  readonly ttl: '1h' | null;
  readonly block: object;
  readonly tool?: object;
  /** The aspect of a hint that is passed on all the same. */
  readonly dropped?: string;
}

/** Every place of a hint that the model takes: text, an image where it sees, a tool. */
function hintsElsewhereOf(model: string): readonly HintElsewhere[] {
  const text = textBlock('Before.');
  const seen = chatModel(model)?.vision === true ? [imageBlock()] : [];
  return [
    ...(['1h', null] as const).map((ttl) => ({ place: 'a text', ttl, block: hinted(text, ttl) })),
    ...seen.map((image) => ({
      place: 'an image',
      ttl: '1h' as const,
      block: hinted(image, '1h'),
      dropped: 'picture-not-passed-on',
    })),
    { place: 'a tool', ttl: '1h', block: text, tool: hinted(oneTool, '1h') },
  ];
}

/** Sends each form on every beta-* model, on a text block before the prompt. */
async function judgeForms(parts: CheckParts, forms: readonly CacheControlForm[]): Promise<void> {
  const { newScene, http, target } = parts;
  for (const model of target.few(cacheModels(target))) {
    let twin: Exchange | null = null;
    for (const form of target.few(forms, ({ verdict }) => verdict)) {
      const hint = { ...textBlock('Before.'), cache_control: form.value };
      const messages = [{ role: 'user', content: [hint, textBlock(newScene().prompt())] }];
      const body: JsonObject = { model, messages };
      const exchange = await http.chat(body, { label: `${form.title} on ${model}` });
      twin ??= exchange;
      judgeForm(parts, form, body, exchange, twin);
    }
  }
}

/** An unknown ttl may become the upstream's error, which names no field (reading B-29). */
function judgeForm(
  parts: CheckParts,
  form: CacheControlForm,
  body: JsonObject,
  exchange: Exchange,
  twin: Exchange,
): void {
  const { title, verdict, requirement, aspect } = form;
  const codes: ErrorCode[] =
    requirement === 'MSG-028' ? ['invalid_param', 'upstream_error'] : ['invalid_param'];
  if (verdict === 'refuse') {
    const { code } = parts.judge.refused(exchange, { requirement, aspect, codes, twin });
    if (code !== 'invalid_param') return;
  }
  judgeCell(parts, { title, verdict, requirement, aspect, field: 'messages', codes, body, twin }, exchange);
}
