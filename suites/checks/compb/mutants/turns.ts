import { frontB, passesB, refusesB, turnsOf } from '../../../mutation/compb-edits.ts';
import { type Body, objectsIn } from '../../../mutation/defects.ts';
import type { Mutant } from '../../../mutation/mutant.ts';

/** Gateways that lose, join or reorder the turns of compat path B on their way to the upstream. */

const history: readonly Mutant[] = [
  passesB(
    'history-signature-lost',
    'signatures do not go back to the upstream',
    ['COMPB-005', 'history-unchanged'],
    (body) => {
      for (const turn of turnsOf(body))
        for (const part of objectsIn(turn.parts)) delete part.thoughtSignature;
    },
  ),
  passesB(
    'history-id-lost',
    'the id of a function response is not passed on',
    ['COMPB-005', 'history-unchanged'],
    (body) => {
      for (const { functionResponse } of turnsOf(body).flatMap((turn) => objectsIn(turn.parts)))
        if (functionResponse !== undefined) delete (functionResponse as Body).id;
    },
  ),
  passesB(
    'history-response-as-text',
    'a function response becomes a text',
    ['COMPB-005', 'history-unchanged'],
    (body) => {
      for (const { functionResponse: given } of turnsOf(body).flatMap((turn) => objectsIn(turn.parts)))
        if (given !== undefined)
          (given as Body).response = { output: JSON.stringify((given as Body).response) };
    },
  ),
  frontB(
    [
      'compb.history-refused',
      'a function response in the history is refused',
      'COMPB-005',
      'history-accepted',
    ],
    refusesB((body) => JSON.stringify(body).includes('"functionResponse"')),
  ),
];

const turns: readonly Mutant[] = [
  passesB(
    'turns-merged',
    'two turns of one speaker in a row become one',
    ['COMPB-006', 'turn-order'],
    (body) => {
      const merged: Body[] = [];
      for (const turn of turnsOf(body)) {
        const last = merged.at(-1);
        if (last !== undefined && last.role === turn.role)
          last.parts = [...objectsIn(last.parts), ...objectsIn(turn.parts)];
        else merged.push(turn);
      }
      body.contents = merged;
    },
  ),
  passesB(
    'turns-reversed',
    'the turns before the last one are reversed',
    ['COMPB-006', 'turn-order'],
    (body) => {
      const all = turnsOf(body);
      body.contents = [...all.slice(0, -1).reverse(), ...all.slice(-1)];
    },
  ),
  passesB(
    'turns-sorted',
    'turns of the user come before those of the model',
    ['COMPB-006', 'turn-order'],
    (body) => {
      const all = turnsOf(body);
      body.contents = [
        ...all.filter((turn) => turn.role !== 'model'),
        ...all.filter((turn) => turn.role === 'model'),
      ];
    },
  ),
  passesB(
    'turns-first-of-model-lost',
    'a turn of the model that comes first is dropped',
    ['COMPB-006', 'turn-order'],
    (body) => {
      const all = turnsOf(body);
      if (all[0]?.role === 'model') body.contents = all.slice(1);
    },
  ),
  passesB('turns-last-only', 'the last turn alone is passed on', ['COMPB-006', 'turn-order'], (body) => {
    body.contents = turnsOf(body).slice(-1);
  }),
  passesB(
    'turns-role-swapped',
    'turns of the model become turns of the user',
    ['COMPB-006', 'turn-order'],
    (body) => {
      for (const turn of turnsOf(body)) turn.role = 'user';
    },
  ),
  passesB('parts-merged', 'the texts of a turn become one part', ['COMPB-006', 'turn-content'], (body) => {
    for (const turn of turnsOf(body)) {
      const parts = objectsIn(turn.parts);
      if (parts.every((part) => typeof part.text === 'string'))
        turn.parts = [{ text: parts.map((part) => part.text).join('') }];
    }
  }),
  passesB('parts-trimmed', 'texts of turns are trimmed', ['COMPB-006', 'turn-content'], (body) => {
    for (const part of turnsOf(body).flatMap((turn) => objectsIn(turn.parts)))
      if (typeof part.text === 'string') part.text = part.text.trim();
  }),
  passesB(
    'parts-repeated-dropped',
    'a turn that repeats the one before it is dropped',
    ['COMPB-006', 'turn-order'],
    (body) => {
      const all = turnsOf(body);
      body.contents = all.filter(
        (turn, at) => JSON.stringify(turn.parts) !== JSON.stringify(all[at + 1]?.parts),
      );
    },
  ),
  passesB(
    'history-media-lost',
    'media are passed on in the last turn alone',
    ['COMPB-006', 'turn-content'],
    (body) => {
      for (const turn of turnsOf(body).slice(0, -1))
        turn.parts = objectsIn(turn.parts).filter((part) => !('inlineData' in part || 'fileData' in part));
    },
  ),
  passesB(
    'history-thoughts-lost',
    'thoughts do not go back to the upstream',
    ['COMPB-006', 'turn-content'],
    (body) => {
      for (const turn of turnsOf(body))
        turn.parts = objectsIn(turn.parts).filter((part) => part.thought !== true);
    },
  ),
];

export const compbTurnMutants: readonly Mutant[] = [...history, ...turns];
