import { defineCheck } from '../../engine/check.ts';
import type { CheckParts } from '../../engine/parts/check-parts.ts';
import { pixelBase64 } from '../../oracle/sample-images.ts';
import { must, part } from '../../rules/violation.ts';
import type { Exchange } from '../../wire/exchange.ts';
import { modelsWith } from './answers.ts';

const counts = [2, 4] as const;
const forms = ['url', 'b64_json'] as const;

/** A request for several images. */
interface Asked {
  readonly model: string;
  readonly n: number;
  readonly form: (typeof forms)[number] | null;
  /** The form that the upstream sends; null for the requested form. */
  readonly sent: Sent | null;
}

/** Forms that differ from the requested one, and links that differ only in their query. */
type Sent = { readonly pictures_as?: ('url' | 'base64')[]; readonly links_by: 'query' };

const allSent: readonly Sent[] = [
  { pictures_as: ['url'], links_by: 'query' },
  { pictures_as: ['base64', 'url'], links_by: 'query' },
];

/** The bytes of each image of an answer. */
interface Seen {
  readonly exchange: Exchange;
  readonly pictures: readonly string[];
}

export const severalAreDifferent = defineCheck({
  id: 'img.n.distinct',
  title: 'the n elements show n different images, and none of another request',
  requirements: ['IMG-013', 'IMG-011', 'IMG-019', 'IMG-020', 'IMG-021'],
  kind: 'upstream',
  needs: ['upstream.control'],
  run: async (parts) => {
    const formed = new Set(modelsWith(parts.target, 'response_format'));
    const all = modelsWith(parts.target, 'n').flatMap((model) =>
      (formed.has(model) ? forms : [null]).flatMap((form): Asked[] => [
        ...counts.map((n) => ({ model, n, form, sent: null })),
        ...allSent.map((sent, more) => ({ model, n: 2 + more, form, sent })),
      ]),
    );
    for (const asked of all.filter(({ form, sent }) => form === 'b64_json' && sent === null))
      for (const more of [0, 1]) await part(() => judgeWords(parts, asked, asked.n + more));
    // In parallel, so that data may leak from one request to another.
    const seen = await Promise.all(all.map((asked) => picturesOf(parts, asked)));
    const known = new Map<string, Exchange>();
    for (const { pictures, exchange } of seen.filter((one) => one !== null)) {
      const rule = { requirement: 'IMG-013', aspect: 'another-picture', exchange };
      const expected = `${pictures.length} images, as the upstream made them`;
      const different = new Set(pictures).size;
      must(different === pictures.length, { ...rule, expected, actual: `${different} different ones` });
      for (const picture of pictures) {
        const twin = known.get(picture);
        must(twin === undefined, {
          ...{ requirement: 'IMG-020', aspect: 'own-pictures', exchange, twin },
          expected: 'images of this prompt alone',
          actual: 'the same bytes as in the answer to another prompt',
        });
        known.set(picture, exchange);
      }
    }
  },
});

/** Returns null after several upstream calls, because a simulated upstream repeats its images. */
async function picturesOf(
  { cases, newScene, images, judge }: CheckParts,
  { model, n, form, sent }: Asked,
): Promise<Seen | null> {
  cases.count();
  const scene = newScene();
  if (sent !== null) await scene.script({ job: sent });
  const body = { ...scene.minimalMedia(model), n, ...(form === null ? {} : { response_format: form }) };
  const exchange = await images.generate(body, {
    label: `${model}, ${n} in ${form ?? 'any form'}${sent === null ? '' : `, sent as ${sent.pictures_as}`}`,
  });
  const answer = images.pictured(exchange, { requirement: 'IMG-011', aspect: 'accepts-count', n, form });
  const asked = (await scene.requestsNow()).length;
  if (asked !== 1) {
    judge.note(`${asked} upstream requests for ${n} images: whether they differ was not judged`);
    return null;
  }
  const looked = answer.pictures.map((picture) =>
    images.look(
      form === 'url' ? picture : { ...picture, url: picture.base64 ? null : picture.url },
      exchange,
    ),
  );
  return { exchange, pictures: (await Promise.all(looked)).map(({ bytes }) => bytes.toString('latin1')) };
}

/** Judges that each image has the revised prompt that it was drawn from, also when the upstream makes one image too many. */
async function judgeWords(
  { cases, newScene, images, clock }: CheckParts,
  { model, n }: Asked,
  made: number,
): Promise<void> {
  cases.count();
  const scene = newScene();
  const words = Array.from({ length: made }, (_, place) => `A sea of kind ${place} (${scene.marker})`);
  const data = words.map((revised) => ({ base64: pixelBase64, revised_prompt: revised }));
  await scene.script({ status: 200, body: { created: Math.floor(clock.now() / 1_000), data } });
  const body = { ...scene.minimalMedia(model), n, response_format: 'b64_json' };
  const exchange = await images.generate(body, {
    label: `${model}, ${n} of ${made} with words of their own`,
  });
  const rule = { requirement: 'IMG-011', aspect: 'accepts-count' };
  const { pictures } = images.pictured(exchange, { ...rule, n, form: 'b64_json' });
  const seen = pictures.map(({ revisedPrompt }) => revisedPrompt);
  must(
    seen.every((revised, place) => revised === null || revised === words[place]),
    {
      ...{ requirement: 'IMG-019', aspect: 'own-words', exchange },
      expected: JSON.stringify(words),
      actual: JSON.stringify(seen),
    },
  );
}
