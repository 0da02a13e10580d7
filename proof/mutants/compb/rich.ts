import { type Body, objectsIn } from '../../../suites/rewrite/json.ts';
import type { Mutation } from '../../../suites/rewrite/mutation.ts';
import { answersB, candidateOf, frontB, plainB } from '../../edits/compat-b-edits.ts';
import type { Mutant } from '../../edits/mutant.ts';

/** Changes the parts of plain answers; each event of a stream has one part. */
function parts(edit: (all: Body[]) => Body[]): Mutation {
  return plainB((body) => {
    const content = candidateOf(body).content as Body | undefined;
    if (content !== undefined) content.parts = edit(objectsIn(content.parts));
  });
}

const answers: readonly Mutant[] = [
  frontB(
    ['compb.long-answers-cut', 'texts of more than 64 KiB are cut', 'COMPB-010', 'long-text-whole'],
    parts((all) =>
      all.map((part) =>
        typeof part.text === 'string' ? { ...part, text: part.text.slice(0, 65_536) } : part,
      ),
    ),
  ),
  frontB(
    ['compb.other-parts-changed', 'code in an answer is trimmed', 'COMPB-010', 'other-parts'],
    parts((all) => {
      for (const { executableCode: code } of all)
        if (code !== undefined) Object.assign(code as Body, { code: String((code as Body).code).trim() });
      return all;
    }),
  ),
  frontB(
    ['compb.texts-first', 'the texts of an answer come first', 'COMPB-010', 'other-parts-in-place'],
    parts((all) => [...all.filter((part) => 'text' in part), ...all.filter((part) => !('text' in part))]),
  ),
  frontB(
    ['compb.ratings-lost', 'what an upstream says beside its parts is dropped', 'COMPB-010', 'said-beside'],
    answersB((part) => {
      for (const name of ['safetyRatings', 'citationMetadata', 'groundingMetadata'])
        delete candidateOf(part)[name];
    }),
  ),
];

export const compbRichMutants: readonly Mutant[] = [...answers];
