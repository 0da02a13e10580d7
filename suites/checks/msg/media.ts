import { defineCheck } from '../../engine/check.ts';
import type { CheckParts } from '../../engine/parts/check-parts.ts';
import type { JsonObject } from '../../engine/requests.ts';
import { chatModel } from '../../oracle/chat-catalogue.ts';
import { imageBlock, textBlock } from '../../oracle/sample-images.ts';
import { otherMedia, pictures, png, type SampleMedium } from '../../oracle/sample-media.ts';
import { must, part, Untestable } from '../../rules/violation.ts';
import { judgeAccepted, visionModels } from '../../steps/chat/judge-cell.ts';
import { isSuccess } from '../../wire/exchange.ts';
import { judgeMedium, mediaModels, mediaVerdict, sendMedium } from './media-verdict.ts';

const needed = 'models.enabled with gamma-3-pro, beta-large-4-5 or beta-mid-4-5';

export const picturesAreTaken = defineCheck({
  id: 'msg.images.kinds',
  title: 'PNG, JPEG and WEBP are accepted as data URIs on every model with Vision',
  requirements: ['MSG-018'],
  kind: 'example',
  needs: [],
  run: async (parts) => {
    const { cases, judge, target } = parts;
    for (const model of visionModels(target))
      await part(async () => {
        for (const { mime, dataUri } of pictures) {
          cases.count();
          const exchange = await sendMedium(parts, model, dataUri);
          const aspect = `${mime.replace('image/', '')}-accepted`;
          judge.completed(exchange, { requirement: 'MSG-018', aspect, model });
        }
      });
  },
});

export const linksAreTaken = defineCheck({
  id: 'msg.images.links',
  title: 'images by http and by https are accepted on every model with Vision, plain and streamed',
  requirements: ['MSG-017'],
  kind: 'example',
  needs: ['chat.image_links'],
  run: async ({ target, cases, newScene, http, judge }) => {
    for (const model of visionModels(target))
      await part(async () => {
        for (const [index, link] of target.profile.chat.image_links.entries()) {
          cases.count();
          const content = [textBlock(newScene().prompt('What is this?')), imageBlock(link)];
          const stream = index % 2 === 1;
          const messages = [{ role: 'user', content }];
          const body: JsonObject = { model, messages, ...(stream ? { stream } : {}) };
          const exchange = await http.chat(body, { label: `a link on ${model}` });
          const aspect = `${new URL(link).protocol.replace(':', '')}-link-accepted`;
          judgeAccepted(judge, body, exchange, { requirement: 'MSG-017', aspect });
        }
      });
  },
});

export const mediaPassTheForm = defineCheck({
  id: 'msg.media.form',
  title: 'video, audio and PDF as data URIs in an image_url block pass the validation of the form',
  requirements: ['MSG-021'],
  kind: 'example',
  needs: [],
  run: async (parts) => {
    const { cases, rng, judge, target } = parts;
    const models = mediaModels(target);
    if (models.length === 0) throw new Untestable(needed);
    for (const { kind, dataUri } of otherMedia) {
      cases.count();
      const model = rng.pick(models);
      const exchange = await sendMedium(parts, model, dataUri);
      judge.completed(exchange, { requirement: 'MSG-021', aspect: `${kind}-passes`, model });
    }
  },
});

export const gammaTakesMedia = defineCheck({
  id: 'msg.media.gamma-3-pro',
  title: 'gamma-3-pro takes images, video, audio and PDF, and they reach the upstream unchanged',
  requirements: ['MSG-022'],
  kind: 'example',
  needs: [],
  run: async (parts) => {
    if (!parts.target.models.includes('gamma-3-pro')) throw new Untestable('models.enabled with gamma-3-pro');
    await judgeMedia(parts, 'MSG-022', 'gamma-3-pro');
  },
});

/** The specification contradicts itself about beta-small-4-5, which may refuse these media (reading B-27). */
export const betaTakesMedia = defineCheck({
  id: 'msg.media.beta',
  title: 'beta models pass images, video, audio and PDF on; beta-small-4-5 may refuse them cleanly',
  requirements: ['MSG-023'],
  kind: 'example',
  needs: [],
  run: async (parts) => {
    const models = mediaModels(parts.target).filter((id) => chatModel(id)?.family === 'beta');
    if (models.length === 0) throw new Untestable('models.enabled with beta-large-4-5 or beta-mid-4-5');
    const { target } = parts;
    for (const model of target.few(models)) await judgeMedia(parts, 'MSG-023', model);
    for (const model of target.models.filter((id) => chatModel(id)?.media === 'open')) {
      for (const medium of target.few(otherMedia)) await judgeContradicted(parts, model, medium);
    }
  },
});

export const othersRefuseMedia = defineCheck({
  id: 'msg.media.elsewhere',
  title: 'other models refuse video, audio and PDF cleanly, or take them as the profile declares',
  requirements: ['MSG-024'],
  kind: 'example',
  needs: [],
  run: async (parts) => {
    const { target, newScene, http, judge, cases } = parts;
    const others = target.models.filter((id) => chatModel(id)?.media === false);
    if (others.length === 0) throw new Untestable('models.enabled with a model not named for other media');
    for (const model of target.few(others)) {
      const text = [textBlock(newScene().prompt())];
      const twin = chatModel(model)?.vision
        ? await sendMedium(parts, model, png.dataUri)
        : await http.chat({ model, messages: [{ role: 'user', content: text }] }, { label: 'positive twin' });
      judge.completed(twin, { requirement: 'MSG-024', aspect: 'twin-served', model });
      for (const { dataUri, mime } of otherMedia) {
        cases.count();
        const exchange = await sendMedium(parts, model, dataUri);
        const verdict = mediaVerdict(target, model);
        const rule = { requirement: 'MSG-024', aspect: 'media-refused' };
        if (verdict !== 'refuse' && isSuccess(exchange)) {
          judge.completed(exchange, { ...rule, model });
          judge.note(`${model} takes ${mime}`);
          continue;
        }
        const declared = { ...rule, aspect: 'declared-accepted', exchange };
        const expected = `${mime} accepted on ${model}, as chat.media_models declares`;
        must(verdict !== 'accept', { ...declared, expected, actual: `HTTP ${exchange.response?.status}` });
        judge.refused(exchange, { ...rule, codes: ['unsupported_capability', 'invalid_param'], twin });
      }
    }
  },
});

/** Every kind as a data URI, and by link where simulated upstreams fetch nothing (reading B-28). */
async function judgeMedia(parts: CheckParts, requirement: string, model: string): Promise<void> {
  for (const { dataUri, link, kind } of parts.target.few([...pictures, ...otherMedia], (one) => one.kind)) {
    const inline = { requirement, accepted: `${kind}-accepted`, intact: 'media-intact' };
    await judgeMedium(parts, model, dataUri, inline);
    if (parts.target.profile.upstream === undefined) continue;
    const rule = { requirement, accepted: `linked-${kind}-accepted`, intact: 'link-intact' };
    // The ending of the path names the kind, in any case.
    const odd = `${link.replace(/\.\w+$/, (end) => end.toUpperCase())}?v=2&name=a.txt`;
    for (const address of [link, odd]) await judgeMedium(parts, model, address, rule);
    await judgeMedium(parts, model, dotted(link, kind), { ...rule, intact: 'dotted-link-intact' });
  }
}

async function judgeContradicted(parts: CheckParts, model: string, medium: SampleMedium): Promise<void> {
  const { cases, judge, target } = parts;
  const exchange = await sendMedium(parts, model, medium.dataUri);
  const rule = { requirement: 'MSG-023', aspect: 'contradicted-clean' };
  cases.count();
  if (mediaVerdict(target, model) !== 'refuse' && isSuccess(exchange))
    judge.completed(exchange, { ...rule, model });
  else judge.refused(exchange, { ...rule, codes: ['unsupported_capability'] });
}

/** A link to the same file whose folders and name contain extra dots and extensions of other kinds. */
function dotted(link: string, kind: SampleMedium['kind']): string {
  const other = kind === 'image' ? 'talk.mp3' : 'sea.png';
  return link.replace(/(?<=\/)([^/]+)$/, `v1.2/${other}/.x/2026.11.25.${other}.$1`);
}
