import { type Body, objectsIn } from '../../../suites/rewrite/json.ts';
import { frontB, passesB, refusesB, turnsOf } from '../../edits/compat-b-edits.ts';
import type { Mutant } from '../../edits/mutant.ts';

/** Gateways that lose, join or reorder turns of compat path B. */

export const history: readonly Mutant[] = [
  passesB(
    'history-signature-lost',
    'signatures do not go back to the upstream',
    ['COMPB-005', 'history-unchanged'],
    (body) => {
      for (const turn of turnsOf(body))
        for (const part of objectsIn(turn.parts)) delete part.thoughtSignature;
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

export const turns: readonly Mutant[] = [
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
  passesB('parts-merged', 'the texts of a turn become one part', ['COMPB-018', 'turn-content'], (body) => {
    for (const turn of turnsOf(body)) {
      const parts = objectsIn(turn.parts);
      if (parts.every((part) => typeof part.text === 'string'))
        turn.parts = [{ text: parts.map((part) => part.text).join('') }];
    }
  }),
];
