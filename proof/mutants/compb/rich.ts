import { type Body, objectsIn } from '../../../suites/rewrite/json.ts';
import type { Mutation, ProxyRequest } from '../../../suites/rewrite/mutation.ts';
import { answersB, candidateOf, frontB, passesB, plainB, turnsOf } from '../../edits/compat-b-edits.ts';
import type { Mutant } from '../../edits/mutant.ts';
import { toUpstream } from '../../edits/native-edits.ts';

/** Gateways that lose something only under two conditions at once, or only from long texts. */

const content: [string, string] = ['COMPB-018', 'turn-content'];

/** Changes the requests of some paths only. */
function where(applies: (sent: ProxyRequest) => boolean, edit: (body: Body) => void): Mutation {
  const { request } = toUpstream('generate-content', edit);
  return { request: (sent) => (applies(sent) && request !== undefined ? request(sent) : sent) };
}

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
    ['compb.other-parts-lost', 'parts without a text or a call are dropped', 'COMPB-010', 'other-parts'],
    parts((all) => all.filter((part) => 'text' in part || 'functionCall' in part)),
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

export const compbRichMutants: readonly Mutant[] = [
  ...answers,
  passesB('pictures-or-tools', 'pictures are dropped where there are tools', content, (body) => {
    if (objectsIn(body.tools).length === 0) return;
    for (const turn of turnsOf(body))
      turn.parts = objectsIn(turn.parts).filter((part) => !('inlineData' in part));
  }),
  frontB(
    [
      'compb.streams-one-tool',
      'a stream has the functions of its first tool',
      'COMPB-005',
      'tools-unchanged',
    ],
    where(
      ({ path }) => path.includes(':stream'),
      (body) => {
        if (Array.isArray(body.tools)) body.tools = body.tools.slice(0, 1);
      },
    ),
  ),
];
