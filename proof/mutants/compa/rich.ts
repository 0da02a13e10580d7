import { type Body, objectsIn } from '../../../suites/rewrite/json.ts';
import { eventsA, frontA, losesA, plainA, refusesA } from '../../edits/compat-a-edits.ts';
import type { Mutant } from '../../edits/mutant.ts';
import { source } from '../../edits/mutant.ts';
import { nativeBlocks } from '../../edits/native-edits.ts';

/** Gateways that lose something only under two conditions at once, or only from long texts. */

const field = ['COMPA-001', 'field-arrives'] as const;
const content = ['COMPA-021', 'content-arrives'] as const;

const requests: readonly Mutant[] = [
  losesA(
    'streams-without-system',
    'the system prompt of a request for a stream is dropped',
    ['COMPA-004', 'system-arrives'],
    (body) => {
      // Lost hints are another mutant.
      if (body.stream === true && typeof body.system === 'string') delete body.system;
    },
  ),
  losesA(
    'hints-in-results',
    'hints within the result of a tool are dropped',
    ['COMPA-007', 'hint-arrives'],
    (body) => {
      for (const result of nativeBlocks(body, 'tool_result'))
        for (const block of objectsIn(result.content)) delete block.cache_control;
    },
  ),
  losesA('documents-untitled', 'documents lose their titles', content, (body) => {
    for (const block of nativeBlocks(body, 'document')) delete block.title;
  }),
  losesA('streams-without-metadata', 'metadata of a request for a stream is dropped', field, (body) => {
    if (body.stream === true) delete body.metadata;
  }),
];

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

/** After so many deltas the text of a stream is lost. */
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
  ...requests,
  ...answers,
  endsWell('refusal-ends-well', 'refusal'),
  endsWell('window-ends-well', 'model_context_window_exceeded'),
];
