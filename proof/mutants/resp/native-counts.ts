import type { Body } from '../../../suites/rewrite/json.ts';
import type { Mutant } from '../../edits/mutant.ts';
import { upstream } from '../../edits/mutant.ts';
import { counting, countOf } from '../../edits/native-edits.ts';

/** Gateways that add up an upstream's counts wrongly: the counts are changed before the gateway reads them. */

export const nativeCountMutants: readonly Mutant[] = [
  upstream(
    [
      'resp.messages-hour-left-out',
      'tokens written for an hour are no prompt tokens',
      'RESP-018',
      'total-includes-cache',
    ],
    counting('messages', (usage) => {
      const written = usage.cache_creation as Body | undefined;
      if (written === undefined || !usage.cache_creation_input_tokens) return;
      usage.cache_creation_input_tokens =
        countOf(usage, 'cache_creation_input_tokens') - countOf(written, 'ephemeral_1h_input_tokens');
      written.ephemeral_1h_input_tokens = 0;
    }),
  ),
  upstream(
    ['resp.generate-thoughts-left-out', 'thoughts do not count as completion tokens', 'RESP-022', 'verbatim'],
    counting('generate-content', (usage) => {
      delete usage.thoughtsTokenCount;
    }),
  ),
];
