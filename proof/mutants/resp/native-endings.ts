import type { Body } from '../../../suites/rewrite/json.ts';
import type { Mutant } from '../../edits/mutant.ts';
import { upstream } from '../../edits/mutant.ts';
import { fromUpstream } from '../../edits/native-edits.ts';

export const nativeEndingMutants: readonly Mutant[] = [
  upstream(
    [
      'resp.messages-refusal-as-stop',
      'a messages answer that ends in refusal counts as ended well',
      'RESP-013',
      'filtered-output',
    ],
    fromUpstream('messages', (part) => {
      if (part.stop_reason === 'refusal') part.stop_reason = 'end_turn';
      const delta = part.delta as Body | undefined;
      if (delta?.stop_reason === 'refusal') delta.stop_reason = 'end_turn';
    }),
  ),
];
