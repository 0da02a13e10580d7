import { type Body, objectsIn } from '../../../suites/rewrite/json.ts';
import { eventsA, frontA, plainA, refusesA } from '../../edits/compat-a-edits.ts';
import type { Mutant } from '../../edits/mutant.ts';
import { source } from '../../edits/mutant.ts';

const cutShort = (reason: string): ((part: Body) => void) => {
  return (part) => {
    if (part.stop_reason === reason) part.stop_reason = 'end_turn';
  };
};

function endsWell(id: string, reason: string): Mutant {
  const edit = cutShort(reason);
  return frontA([`compa.${id}`, `${reason} is reported as end_turn`, 'COMPA-011', 'cut-short-told'], {
    ...plainA(edit),
    ...eventsA((event) => {
      if (event.type === 'message_delta') edit(event.delta as Body);
      return [event];
    }),
  });
}

/** After this many deltas the text of a stream is lost. */
const maxDeltas = 250;

const answers: readonly Mutant[] = [
  frontA(
    ['compa.long-streams-cut', 'streams end early, as if all were said', 'COMPA-010', 'long-text-whole'],
    {
      events: () => {
        let deltas = 0;
        return (event) => {
          if (event === null) return [];
          if (event.includes('"text_delta"')) deltas += 1;
          return event.includes('"text_delta"') && deltas > maxDeltas ? [] : [event];
        };
      },
    },
  ),
  frontA(
    [
      'compa.long-arguments-lost',
      'arguments of more than 64 KiB are lost',
      'COMPA-010',
      'long-arguments-whole',
    ],
    plainA((message) => {
      for (const block of objectsIn(message.content))
        if (JSON.stringify(block.input ?? '').length > 65_536) block.input = {};
    }),
  ),
];

const documents: readonly Mutant[] = [
  frontA(
    ['compa.documents-refused', 'documents are refused on every model', 'COMPA-013', 'document-accepted'],
    refusesA((body) => JSON.stringify(body).includes('"document"'), 'unsupported_capability', 'messages'),
  ),
  source(
    [
      'compa.documents-unchecked',
      'documents go to models that do not take them',
      'COMPA-013',
      'document-refused',
    ],
    'requests/compat/messages/media.ts',
    '=> kind === type) ?? null',
    "=> kind === type && kind === 'image') ?? null",
  ),
];

export const compaRichMutants: readonly Mutant[] = [
  ...documents,
  ...answers,
  endsWell('refusal-ends-well', 'refusal'),
];
