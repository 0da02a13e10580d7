import fc from 'fast-check';
import { defineCheck } from '../../engine/check.ts';
import type { CheckParts } from '../../engine/parts/check-parts.ts';
import { chatModel } from '../../oracle/chat-catalogue.ts';
import { dialectOf } from '../../oracle/native/dialects.ts';
import { imageBlock, textBlock } from '../../oracle/sample-images.ts';
import { dataUriOf } from '../../oracle/sample-media.ts';
import { advise, part } from '../../rules/violation.ts';
import { visionModels } from '../../steps/chat/judge-cell.ts';
import { readRequest } from '../../steps/chat/upstream-view.ts';
import { isSuccess } from '../../wire/exchange.ts';
import { judgeArrival, judgeMedium, sendMedium } from './media-verdict.ts';

const imageMimes = ['image/png', 'image/jpeg', 'image/webp'] as const;
const otherMimes = ['video/mp4', 'video/webm', 'audio/mpeg', 'audio/wav', 'application/pdf'] as const;

/** Bytes that are never decoded: every length modulo 3, and all characters of base64. */
const bytes = fc.uint8Array({ minLength: 1, maxLength: 4_000 });

export const mediaBytesArrive = defineCheck({
  id: 'msg.media.bytes',
  title: 'the bytes and the media type of a data URI reach the upstream exactly as sent',
  requirements: ['MSG-025'],
  kind: 'property',
  needs: ['upstream.control'],
  run: async (parts) => {
    const { rng, cases, target } = parts;
    const models = visionModels(target);
    const sample = fc.constantFrom(...models).chain((model) => {
      const mimes = chatModel(model)?.media === true ? [...imageMimes, ...otherMimes] : imageMimes;
      return fc.record({ model: fc.constant(model), mime: fc.constantFrom(...mimes), bytes });
    });
    // Large media on one model per dialect: gateways treat all models of a dialect alike.
    const oneEach = (ids: readonly string[]): string[] =>
      [...Map.groupBy(ids, dialectOf).values()].map((own) => rng.pick(own));
    const few = oneEach(models);
    // One model per dialect that accepts more than images.
    const fed = oneEach(models.filter((model) => chatModel(model)?.media === true));
    const large = cases.full ? 14 * 1024 * 1024 : 1_500_000;
    const rule = { requirement: 'MSG-025', accepted: 'bytes-accepted', intact: 'bytes-intact' };
    await cases.forAll(
      sample,
      ({ model, mime, bytes }) => judgeMedium(parts, model, dataUriOf(mime, bytes), rule),
      {
        quick: 20,
        full: 200,
        examples: [
          ...few.flatMap((model) => [
            { model, mime: 'image/png', bytes: Uint8Array.of(0xfb, 0xff, 0xbf) },
            { model, mime: 'image/jpeg', bytes: Uint8Array.of(0) },
            { model, mime: 'image/webp', bytes: Uint8Array.of(0xff, 0xfe) },
            { model, mime: 'image/png', bytes: manyBytes(large) },
          ]),
          ...fed.flatMap((model) =>
            otherMimes.map((mime) => ({ model, mime, bytes: Uint8Array.of(1, 2, 3) })),
          ),
        ],
      },
    );
    for (const model of few) await judgeUpperCase(parts, model);
    for (const model of few) for (const mime of rareImages) await part(() => judgeRare(parts, model, mime));
    for (const model of fed) for (const mime of rareMedia) await part(() => judgeRare(parts, model, mime));
  },
});

/** Types with every kind of character that a type may have. */
const rareImages = ['image/svg+xml', 'image/vnd.sea-chart.1'] as const;
const rareMedia = ['video/3gpp2', 'audio/x-wav'] as const;

/** The upstream decides whether a type is useful. The gateway must pass it on unchanged. */
async function judgeRare(
  { cases, newScene, http, judge }: CheckParts,
  model: string,
  mime: string,
): Promise<void> {
  cases.count();
  const scene = newScene();
  const address = dataUriOf(mime, Uint8Array.of(1, 2, 3));
  const content = [textBlock(scene.prompt('What is this?')), imageBlock(address)];
  const exchange = await http.chat(
    { model, messages: [{ role: 'user', content }] },
    { label: `${mime} on ${model}` },
  );
  const rule = { requirement: 'MSG-025', aspect: 'rare-type-clean' };
  if (isSuccess(exchange)) judge.completed(exchange, { ...rule, model });
  else
    judge.refused(exchange, {
      ...rule,
      codes: ['invalid_param', 'unsupported_capability', 'upstream_error'],
    });
  const requests = await scene.requestsNow();
  for (const request of requests)
    judgeArrival(address, readRequest(request), exchange, { ...rule, aspect: 'bytes-intact' });
  const expected = `${address} at the upstream of ${model}, whatever it makes of that`;
  const asked = {
    ...rule,
    aspect: 'rare-type-asked',
    expected,
    actual: `HTTP ${exchange.response?.status}`,
    exchange,
  };
  advise(requests.length > 0, asked);
}

/** Media types are case-insensitive: a gateway may reject an upper-case type, but not treat it as another type. */
async function judgeUpperCase(parts: CheckParts, model: string): Promise<void> {
  const { judge } = parts;
  const address = dataUriOf('IMAGE/PNG', Uint8Array.of(1, 2, 3));
  const exchange = await sendMedium(parts, model, address);
  const rule = { requirement: 'MSG-025', accepted: 'type-without-case', intact: 'bytes-intact' };
  if (exchange.response?.status !== 400) return await judgeMedium(parts, model, address, rule);
  judge.refused(exchange, { ...rule, aspect: rule.accepted, codes: ['invalid_param'] });
  judge.note(`refuses media types in capitals on ${model}`);
}

/** This many bytes with no two equal neighbours, so that lost, repeated or moved parts show. */
function manyBytes(count: number): Uint8Array {
  return Uint8Array.from({ length: count }, (_, index) => (index * 31 + (index >> 8) * 7) & 0xff);
}
