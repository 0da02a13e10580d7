import { type Body, objectsIn } from '../../../suites/rewrite/json.ts';
import { answersB, candidateOf, frontB, partsOf, plainB } from '../../edits/compat-b-edits.ts';
import type { Mutant } from '../../edits/mutant.ts';
import { upstream } from '../../edits/mutant.ts';
import { eventsOf, fromUpstream } from '../../edits/native-edits.ts';

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
