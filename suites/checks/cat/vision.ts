import { defineCheck } from '../../engine/check.ts';
import type { JsonObject } from '../../engine/requests.ts';
import type { Scene } from '../../engine/scene.ts';
import { chatModel } from '../../oracle/chat-catalogue.ts';
import { mediaOf } from '../../oracle/native/view.ts';
import { imageBlock, imageHttpsUrl, pixelDataUri, textBlock } from '../../oracle/sample-images.ts';
import { must, part, Untestable } from '../../rules/violation.ts';
import { blindModels, judgeAccepted } from '../../steps/chat/judge-cell.ts';
import { judgeNotForwarded, nativeRequest } from '../../steps/chat/upstream-view.ts';
import { type Exchange, isSuccess } from '../../wire/exchange.ts';

interface ImagePlace {
  readonly label: string;
  readonly members: (prompt: string) => JsonObject;
}

/** An image by http and as a data URI, in the first, a later and the last message, plain and streamed. */
const imagePlaces: readonly ImagePlace[] = [imageHttpsUrl, pixelDataUri].flatMap((url) =>
  ['first', 'history', 'last'].flatMap((place) =>
    [false, true].map((stream) => ({
      label: `${url.slice(0, 5)} image in the ${place} message${stream ? ', streamed' : ''}`,
      members: (prompt) => ({ messages: withImageIn(place, url, prompt), ...(stream ? { stream } : {}) }),
    })),
  ),
);

export const imageIsRefused = defineCheck({
  id: 'cat.vision.refused',
  title: 'a model without Vision refuses an image wherever it stands, and never drops it silently',
  requirements: ['CAT-013'],
  kind: 'example',
  needs: [],
  run: async ({ http, newScene, judge, cases, target }) => {
    for (const model of blindModels(target))
      await part(async () => {
        const body = { model, messages: [{ role: 'user', content: [textBlock(newScene().prompt())] }] };
        const twin = await http.chat(body, { label: 'positive twin' });
        judge.completed(twin, { requirement: 'MSG-008', aspect: 'blocks-accepted', model });
        for (const { label, members } of imagePlaces) {
          cases.count();
          const body = { model, ...members(newScene().prompt()) };
          const exchange = await http.chat(body, { label: `${label} on ${model}` });
          const rule = { requirement: 'CAT-013', aspect: 'image-refused', twin };
          judge.refused(exchange, { ...rule, codes: ['unsupported_capability'] });
        }
      });
  },
});

export const refusedBeforeUpstream = defineCheck({
  id: 'cat.vision.refused-before-upstream',
  title: 'a request for a capability that the model lacks reaches no upstream',
  requirements: ['CAT-015'],
  kind: 'upstream',
  needs: ['upstream.control'],
  run: async ({ cases, newScene, http, judge, target }) => {
    for (const model of blindModels(target))
      await part(async () => {
        for (const { label, members } of imagePlaces) {
          cases.count();
          const scene = newScene();
          const body = { model, ...members(scene.prompt()) };
          const exchange = await http.chat(body, { label: `${label} on ${model}` });
          const rule = { requirement: 'CAT-015', aspect: 'capability-refused' };
          judge.refused(exchange, { ...rule, codes: ['unsupported_capability'] });
          await judgeNotForwarded(scene, 'CAT-015', exchange);
        }
      });
  },
});

export const contradictedIsConsistent = defineCheck({
  id: 'cat.vision.contradicted',
  title: 'a model with contradictory vision documentation takes all images or none (reading B-27)',
  requirements: ['CAT-007', 'CAT-013'],
  kind: 'example',
  needs: [],
  run: async ({ target, cases, newScene, http, judge }) => {
    const models = target.models.filter((id) => chatModel(id)?.vision === 'open');
    if (models.length === 0) throw new Untestable('models.enabled with beta-small-4-5');
    for (const model of models) {
      const outcomes = new Set<boolean>();
      for (const { label, members } of imagePlaces) {
        cases.count();
        const scene = newScene();
        const body: JsonObject = { model, ...members(scene.prompt()) };
        const exchange = await http.chat(body, { label: `${label} on ${model}` });
        const taken = isSuccess(exchange);
        const rule = { requirement: 'CAT-007', aspect: 'images-clean' };
        if (taken) judgeAccepted(judge, body, exchange, rule);
        else judge.refused(exchange, { ...rule, codes: ['unsupported_capability'] });
        const media = taken && target.profile.upstream ? await mediaSeen(scene, exchange) : 1;
        const kept = { requirement: 'CAT-013', aspect: 'never-dropped', exchange };
        const one = 'the accepted image at the upstream';
        must(media === 1, { ...kept, expected: one, actual: `${media} images` });
        const alike = { requirement: 'CAT-007', aspect: 'images-consistent', exchange };
        const expected = `images ${taken ? 'refused' : 'accepted'} as before`;
        const actual = `one ${taken ? 'accepted' : 'refused'}`;
        must(outcomes.add(taken).size === 1, { ...alike, expected, actual });
      }
    }
  },
});

async function mediaSeen(scene: Scene, exchange: Exchange): Promise<number> {
  const { view } = await nativeRequest(scene, 'CAT-007', exchange);
  return view.turns.flatMap(mediaOf).length;
}

function withImageIn(place: string, url: string, prompt: string): object[] {
  const image = { role: 'user', content: [textBlock('What is this?'), imageBlock(url)] };
  const last = { role: 'user', content: prompt };
  switch (place) {
    case 'first':
      return [{ role: 'user', content: [imageBlock(url), textBlock(prompt)] }];
    case 'history':
      return [image, { role: 'assistant', content: 'A dot.' }, last];
    default:
      return [
        { role: 'user', content: 'Hello.' },
        { role: 'assistant', content: 'Yes?' },
        { role: 'user', content: [textBlock('Look.'), textBlock(prompt), imageBlock(url)] },
      ];
  }
}
