import { type Body, objectsIn } from '../../../suites/rewrite/json.ts';
import type { Mutation } from '../../../suites/rewrite/mutation.ts';
import { answersB, candidateOf, frontB, partsOf, plainB } from '../../edits/compat-b-edits.ts';
import { type Mutant, upstream } from '../../edits/mutant.ts';
import { eventsOf, fromUpstream } from '../../edits/native-edits.ts';

/** Changes the parts of plain answers; each event of a stream has one part. */
function parts(edit: (all: Body[]) => Body[]): Mutation {
  return plainB((body) => {
    const content = candidateOf(body).content as Body | undefined;
    if (content !== undefined) content.parts = edit(objectsIn(content.parts));
  });
}

export const answers: readonly Mutant[] = [
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

/** Gateways that change or lose the function calls of an answer on compat path B. */

/** A mutant that changes what the protocol's upstreams answer. */
function said(
  id: string,
  title: string,
  [requirement, aspect]: [string, string],
  edit: (part: Body) => void,
): Mutant {
  return upstream([`compb.${id}`, title, requirement, aspect], fromUpstream('generate-content', edit));
}

const callsOf = (part: Body): Body[] =>
  partsOf(part).flatMap(({ functionCall }) => objectsIn([functionCall]));

export const compbCallMutants: readonly Mutant[] = [
  said(
    'call-args-rounded',
    'numbers of arguments go through a double',
    ['COMPB-005', 'call-unchanged'],
    () => undefined,
  ),
  frontB(
    ['compb.call-signature-lost', 'signatures of calls are lost', 'COMPB-005', 'signature-kept'],
    answersB((part) => {
      for (const one of partsOf(part)) if ('functionCall' in one) delete one.thoughtSignature;
    }),
  ),
  frontB(
    ['compb.calls-finish', 'an answer of calls ends in TOOL_CALLS', 'COMPB-005', 'calls-finish'],
    plainB((body) => {
      if (callsOf(body).length > 0) candidateOf(body).finishReason = 'TOOL_CALLS';
    }),
  ),
  lastEvent('calls', 'calls-all', (part) => !('functionCall' in part)),
  lastEvent('text', 'text-beside-calls', (part) => !('text' in part)),
];

/** The last event of a stream may also carry content. */
function lastEvent(what: string, aspect: string, keeps: (part: Body) => boolean): Mutant {
  return upstream(
    [`compb.last-event-${what}-lost`, `${what} in the last event of a stream are lost`, 'COMPB-005', aspect],
    eventsOf('generate-content', (event) => {
      const { content, finishReason } = candidateOf(event);
      if (typeof finishReason === 'string' && content !== undefined)
        (content as Body).parts = partsOf(event).filter(keeps);
      return [event];
    }),
  );
}
