import fc from 'fast-check';
import { naturalText } from './natural-text.ts';

export type Conversation = readonly { readonly role: string; readonly content: string }[];

const sentence = naturalText.map(({ prompt }) => prompt);
const turn = (role: string): fc.Arbitrary<Conversation[number]> =>
  sentence.map((content) => ({ role, content }));

/**
 * A legal conversation of plain text: an optional system message, then alternating turns, with the user last.
 */
export const conversation: fc.Arbitrary<Conversation> = fc
  .record({
    system: fc.option(turn('system')),
    exchanges: fc.array(fc.tuple(turn('user'), turn('assistant')), { maxLength: 2 }),
    last: turn('user'),
  })
  .map(({ system, exchanges, last }) => [...(system === null ? [] : [system]), ...exchanges.flat(), last]);
