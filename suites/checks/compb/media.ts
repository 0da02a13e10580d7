import { defineCheck } from '../../engine/check.ts';
import type { CheckParts } from '../../engine/parts/check-parts.ts';
import { chatModel } from '../../oracle/chat-catalogue.ts';
import { otherMedia, pictures, type SampleMedium } from '../../oracle/sample-media.ts';
import { flag, must, part } from '../../rules/violation.ts';
import { shown } from '../../steps/chat/upstream-view.ts';
import { type Exchange, isSuccess } from '../../wire/exchange.ts';
import { refusedB } from './refused.ts';
import { answeredB, atUpstream, callName, formsB, gammaModels } from './served.ts';

const requirement = 'COMPB-001';

interface MediumCase {
  readonly model: string;
  readonly stream: boolean;
  readonly medium: SampleMedium;
}

export const mediaArrive = defineCheck({
  id: 'compb.media.intact',
  title: 'images arrive byte for byte, and other media that the model accepts, by link and inline',
  requirements: [requirement, 'EP-015'],
  kind: 'upstream',
  needs: ['compat.b', 'upstream.control'],
  run: async (parts) => {
    const [first] = pictures;
    for (const model of gammaModels(parts.target)) {
      for (const medium of [...pictures, ...otherMedia]) {
        for (const stream of medium === first ? await formsB(parts) : [false])
          await part(() => judgeForms(parts, { model, stream, medium }));
      }
    }
  },
});

/** The bytes in the request, and a link with and without an ending that shows the kind. */
async function judgeForms(parts: CheckParts, own: MediumCase): Promise<void> {
  const { mime, base64: data, link } = own.medium;
  const inline = await judgePart(parts, own, { inlineData: { mimeType: mime, data } });
  for (const fileUri of [link, link.replace(/\.\w+$/, '')]) {
    const linked = await judgePart(parts, own, { fileData: { mimeType: mime, fileUri } });
    const isOne = inline.code !== 'unsupported_capability' || linked.code !== null;
    flag(isOne, {
      requirement: 'EP-015',
      aspect: 'link-as-inline',
      expected: `${mime} at ${fileUri} refused by ${own.model}, which lacks the capability for the same bytes`,
      actual: 'HTTP 200',
      exchange: linked.exchange,
    });
  }
}

type MediumPart = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** Judges the answer to a medium and the upstream request. Returns the code of a refusal, else null. */
async function judgePart(
  { cases, newScene, http, judge }: CheckParts,
  { model, stream, medium }: MediumCase,
  sent: MediumPart,
): Promise<{ exchange: Exchange; code: string | null }> {
  cases.count();
  const scene = newScene();
  const isLink = 'fileData' in sent;
  const body = { contents: [{ role: 'user', parts: [{ text: scene.prompt() }, sent] }] };
  const label = `${medium.mime}${isLink ? ' by link' : ''} on ${callName(model, stream)}`;
  const exchange = await http.compatB(model, body, { stream, label });
  // What a profile declares about media concerns the core path.
  const mayRefuse = isLink || (medium.kind !== 'image' && chatModel(model)?.media !== true);
  if (mayRefuse && !isSuccess(exchange)) {
    // The specification allows either code (reading B-27).
    const codes = ['unsupported_capability', 'invalid_param'] as const;
    const { code } = refusedB(judge, exchange, { requirement, aspect: 'media-clean', codes });
    return { exchange, code };
  }
  answeredB(judge, exchange, stream, { requirement, aspect: 'media-accepted', model });
  const native = await atUpstream(scene, requirement, exchange);
  const words = Object.values(sent).flatMap((one) => Object.values(one));
  must(
    words.every((word) => native.text.includes(JSON.stringify(word))),
    {
      requirement,
      aspect: 'media-intact',
      expected: `${words.map((word) => word.slice(0, 80)).join(', ')} at the upstream`,
      actual: 'it is not there',
      exchange,
      upstream: shown(native),
    },
  );
  return { exchange, code: null };
}
