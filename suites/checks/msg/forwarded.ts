import fc from 'fast-check';
import { defineCheck } from '../../engine/check.ts';
import { unicodeText } from '../../generators/unicode-text.ts';
import { answerText } from '../../oracle/error-leaks.ts';
import { isMedium } from '../../oracle/native/same-medium.ts';
import { mediaOf, textOf } from '../../oracle/native/view.ts';
import {
  imageBlock,
  imageHttpsUrl,
  imageHttpUrl,
  imageSignedUrl,
  textBlock,
} from '../../oracle/sample-images.ts';
import { jpeg, png, webp } from '../../oracle/sample-media.ts';
import { must, part } from '../../rules/violation.ts';
import { visionModels } from '../../steps/chat/judge-cell.ts';
import { dialectModels, nativeModels, nativeRequest, shown } from '../../steps/chat/upstream-view.ts';
import { isSuccess } from '../../wire/exchange.ts';

export const textIsExact = defineCheck({
  id: 'msg.text.exact',
  title: 'the text of a user message reaches the upstream exactly, with any Unicode and any length',
  requirements: ['MSG-007'],
  kind: 'property',
  needs: ['upstream.control'],
  run: async ({ cases, newScene, http, judge, target }) => {
    const models = nativeModels(target);
    await cases.forAll(
      fc.record({ text: unicodeText, model: fc.constantFrom(...models) }),
      async ({ text, model }) => {
        const scene = newScene();
        const prompt = `${text}${scene.prompt()}${text}`;
        const label = 'Unicode text';
        const exchange = await http.chat({ model, messages: [{ role: 'user', content: prompt }] }, { label });
        judge.completed(exchange, { requirement: 'MSG-007', aspect: 'text-accepted', model });
        const native = await nativeRequest(scene, 'MSG-007', exchange);
        const seen = native.view.turns.map(textOf);
        const rule = { requirement: 'MSG-007', aspect: 'text-exact', exchange, upstream: shown(native) };
        const expected = JSON.stringify(prompt).slice(0, 400);
        const actual = JSON.stringify(seen).slice(0, 400);
        must(seen.length === 1 && seen[0] === prompt, { ...rule, expected, actual });
      },
      {
        quick: 20,
        full: 800,
        examples: dialectModels(target).flatMap((model) => [
          { text: '🌊 The sea. '.repeat(8_000), model },
          { text: ' \n\tspace at both ends\n ', model },
        ]),
      },
    );
  },
});

export const blocksMeanTheText = defineCheck({
  id: 'msg.blocks.same-as-string',
  title: 'text blocks mean the same to the upstream as their text in one string',
  requirements: ['MSG-008', 'MSG-032'],
  kind: 'metamorphic',
  needs: ['upstream.control'],
  run: async ({ cases, newScene, http, judge, target }) => {
    const models = nativeModels(target);
    await cases.forAll(
      fc.record({
        texts: fc.array(unicodeText, { minLength: 1, maxLength: 4 }),
        model: fc.constantFrom(...models),
      }),
      async ({ texts, model }) => {
        const scene = newScene();
        const content = [...texts, scene.prompt()].map(textBlock);
        const label = `${content.length} text blocks`;
        const exchange = await http.chat({ model, messages: [{ role: 'user', content }] }, { label });
        judge.completed(exchange, { requirement: 'MSG-008', aspect: 'blocks-accepted', model });
        const native = await nativeRequest(scene, 'MSG-008', exchange);
        const seen = native.view.turns.map(textOf);
        const sent = content.map((block) => block.text ?? '');
        const holdsAll = seen.length === 1 && inOrder(seen[0] ?? '', sent);
        const rule = { requirement: 'MSG-032', aspect: 'blocks-in-order', exchange, upstream: shown(native) };
        const expected = `one user turn with ${JSON.stringify(sent)}`;
        must(holdsAll, { ...rule, expected, actual: JSON.stringify(seen) });
      },
      { quick: 10, full: 500 },
    );
  },
});

export const imagesArrive = defineCheck({
  id: 'msg.images.forwarded',
  title: 'images by http, https and data URI reach the upstream unchanged and in order',
  requirements: ['MSG-010', 'MSG-017', 'MSG-018'],
  kind: 'upstream',
  needs: ['upstream.control'],
  run: async ({ cases, newScene, http, judge, target }) => {
    for (const model of visionModels(target))
      await part(async () => {
        for (const urls of [
          [imageHttpsUrl],
          [imageHttpUrl],
          [imageSignedUrl],
          [png.dataUri],
          [jpeg.dataUri],
          [webp.dataUri],
          [imageHttpsUrl, png.dataUri, imageHttpUrl],
        ]) {
          cases.count();
          const scene = newScene();
          const content = [textBlock('Before.'), ...urls.map(imageBlock), textBlock(scene.prompt())];
          const label = `${urls.length} images on ${model}`;
          const exchange = await http.chat({ model, messages: [{ role: 'user', content }] }, { label });
          const first = urls[0]?.startsWith('data:') ? 'MSG-018' : 'MSG-017';
          const requirement = urls.length > 1 ? 'MSG-010' : first;
          // No such host exists: a gateway that fetches images by itself refuses it, and says so (reading B-28).
          const isRemote = urls.some((url) => !url.startsWith('data:'));
          const isUnread = isRemote && !isSuccess(exchange) && cannotFetch.test(answerText(exchange));
          if (isUnread && (await scene.requestsNow()).length === 0) {
            const codes = ['invalid_param', 'upstream_error'] as const;
            judge.refused(exchange, { requirement, aspect: 'images-accepted', codes });
            judge.note(`fetches images by itself on ${model}`);
            continue;
          }
          judge.completed(exchange, { requirement, aspect: 'images-accepted', model });
          const native = await nativeRequest(scene, 'MSG-010', exchange);
          const seen = native.view.turns.flatMap(mediaOf);
          const intact =
            seen.length === urls.length && seen.every((part, index) => isMedium(urls[index] ?? '', part));
          const rule = {
            requirement: 'MSG-010',
            aspect: 'images-in-order',
            exchange,
            upstream: shown(native),
          };
          must(intact, { ...rule, expected: JSON.stringify(urls), actual: JSON.stringify(seen) });
        }
      });
  },
});

/** Words of a gateway that tried to load an image. */
const cannotFetch = /\b(?:fetch|download|resolve|retrieve|load)(?:ing|ed)?\b/i;

/** Whether the text has all pieces in order; a gateway may join blocks with line breaks. */
function inOrder(text: string, pieces: readonly string[]): boolean {
  let place = 0;
  return pieces.every((piece) => {
    const found = text.indexOf(piece, place);
    place = found + piece.length;
    return found !== -1;
  });
}
