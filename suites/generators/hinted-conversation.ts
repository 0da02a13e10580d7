import fc from 'fast-check';
import { type ContentBlock, imageBlock, imageHttpsUrl, textBlock } from '../oracle/sample-images.ts';
import { jpeg, pdf, png } from '../oracle/sample-media.ts';

/** A conversation with cache hints before its last question. */
export interface HintedConversation {
  readonly model: string;
  /** User turns of blocks, with assistant turns of text between them. */
  readonly turns: readonly { readonly role: string; readonly content: unknown }[];
  readonly question: string;
  readonly stream: boolean;
}

/** The maximum of hints that an upstream accepts in one request. */
const maxHints = 4;

const words = fc.stringMatching(/^[a-z]{1,12}( [a-z]{1,12}){0,4}$/);
const texts = words.map(textBlock);
const media = fc.constantFrom(png.dataUri, jpeg.dataUri, pdf.dataUri, imageHttpsUrl).map(imageBlock);

/** One to four hints, and blocks in any order; images and PDFs only for models with vision. */
export function hintedConversation(
  models: readonly string[],
  seeing: readonly string[],
): fc.Arbitrary<HintedConversation> {
  const blocks = (model: string) =>
    fc.array(seeing.includes(model) ? fc.oneof(texts, media) : texts, { minLength: 1, maxLength: 5 });
  return fc
    .constantFrom(...models)
    .chain((model) =>
      fc.record({
        model: fc.constant(model),
        users: fc.array(blocks(model), { minLength: 1, maxLength: 4 }),
        answers: fc.array(words, { minLength: 4, maxLength: 4 }),
        places: fc.uniqueArray(fc.nat(19), { minLength: 1, maxLength: maxHints }),
        hours: fc.nat(maxHints),
        question: words,
        stream: fc.boolean(),
      }),
    )
    .map(({ model, users, answers, places, hours, question, stream }) => {
      const count = users.reduce((sum, content) => sum + content.length, 0);
      const chosen = [...new Set(places.map((place) => place % count))].sort((a, b) => a - b);
      // Hints of one hour come before those of five minutes, because upstreams refuse the other order.
      const ttls = chosen.map((_, index) => (index < hours ? '1h' : index % 2 === 0 ? '5m' : null));
      let at = -1;
      const turns = users.flatMap((content, index) => [
        {
          role: 'user',
          content: content.map((block) => {
            at += 1;
            const ttl = ttls[chosen.indexOf(at)];
            return ttl === undefined ? block : hint(block, ttl);
          }),
        },
        { role: 'assistant', content: answers[index] ?? 'Yes.' },
      ]);
      return { model, turns, question, stream };
    });
}

function hint(block: ContentBlock, ttl: '5m' | '1h' | null): object {
  return { ...block, cache_control: { type: 'ephemeral', ...(ttl === null ? {} : { ttl }) } };
}
