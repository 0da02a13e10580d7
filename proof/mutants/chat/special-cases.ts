import { inRequests } from '../../edits/chat-edits.ts';
import type { Mutant } from '../../edits/mutant.ts';
import { front, upstream } from '../../edits/mutant.ts';

/** Gateways that treat streams, one model or one role differently. */

export const specialCaseMutants: readonly Mutant[] = [
  upstream(
    ['chat.stream-drops-seed', 'streams lose seed', 'CHAT-050', 'forwards-seed'],
    inRequests((body) => {
      if (body.stream === true) delete body.seed;
    }),
  ),
  front(
    ['chat.native-name', 'a model answers to the name of its upstream too', 'CHAT-006', 'exact-spelling'],
    inRequests((body) => {
      if (String(body.model).startsWith('d3-')) body.model = 'delta-3';
    }),
  ),
];
