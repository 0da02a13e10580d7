import { type Check, defineCheck } from '../../engine/check.ts';
import type { JsonObject } from '../../engine/kit.ts';
import { must } from '../../engine/violation.ts';
import { imageBlock, imageHttpsUrl, pixelDataUri, textBlock } from '../../oracle/sample-images.ts';
import { blindModels } from '../chat/judge-cell.ts';

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

const imageIsRefused = defineCheck({
  id: 'cat.vision.refused',
  title: 'a model without Vision refuses an image wherever it stands, and never drops it silently',
  requirements: ['CAT-013'],
  kind: 'example',
  needs: [],
  run: async (kit) => {
    for (const model of blindModels(kit)) {
      const twin = await kit.chat(
        { model, messages: [{ role: 'user', content: [textBlock(kit.scene().prompt())] }] },
        { label: 'positive twin' },
      );
      kit.completed(twin, { requirement: 'MSG-008', aspect: 'blocks-accepted', model });
      for (const { label, members } of imagePlaces) {
        kit.countCase();
        const exchange = await kit.chat(
          { model, ...members(kit.scene().prompt()) },
          { label: `${label} on ${model}` },
        );
        kit.refused(exchange, {
          requirement: 'CAT-013',
          aspect: 'image-refused',
          codes: ['unsupported_capability'],
          twin,
        });
      }
    }
  },
});

const refusedBeforeUpstream = defineCheck({
  id: 'cat.vision.refused-before-upstream',
  title: 'a request for a capability that the model lacks reaches no upstream',
  requirements: ['CAT-015'],
  kind: 'upstream',
  needs: ['upstream.control'],
  run: async (kit) => {
    for (const model of blindModels(kit)) {
      for (const { label, members } of imagePlaces) {
        kit.countCase();
        const scene = kit.scene();
        const exchange = await kit.chat(
          { model, ...members(scene.prompt()) },
          { label: `${label} on ${model}` },
        );
        kit.refused(exchange, {
          requirement: 'CAT-015',
          aspect: 'capability-refused',
          codes: ['unsupported_capability'],
        });
        must((await scene.requestsNow()).length === 0, {
          requirement: 'CAT-015',
          aspect: 'no-upstream-call',
          expected: 'no upstream request',
          actual: 'one arrived',
          exchange,
        });
      }
    }
  },
});

export const visionChecks: readonly Check[] = [imageIsRefused, refusedBeforeUpstream];

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
        { role: 'user', content: [textBlock(prompt), imageBlock(url)] },
      ];
  }
}
