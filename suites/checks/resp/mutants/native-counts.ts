import { type Body, upstream } from '../../../mutation/defects.ts';
import type { Mutant } from '../../../mutation/mutant.ts';
import { eventsOf } from '../../../mutation/native-edits.ts';
import { counting, countOf } from '../../../mutation/native-usage.ts';

/** Gateways that add up the counts of an upstream wrongly. Each is one that reads right what was changed before. */

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
    [
      'resp.generate-read-twice',
      'cached tokens are added to a count that holds them already',
      'RESP-018',
      'total-includes-cache',
    ],
    counting('generate-content', (usage) => {
      if (usage.cachedContentTokenCount)
        usage.promptTokenCount =
          countOf(usage, 'promptTokenCount') + countOf(usage, 'cachedContentTokenCount');
    }),
  ),
  upstream(
    ['resp.generate-thoughts-left-out', 'thoughts are no completion tokens', 'RESP-022', 'verbatim'],
    counting('generate-content', (usage) => {
      delete usage.thoughtsTokenCount;
    }),
  ),
  upstream(
    [
      'sse.messages-first-count',
      'the output of a messages stream is what it said at its start',
      'SSE-011',
      'verbatim',
    ],
    eventsOf('messages', (part) => {
      if (part.type === 'message_delta') ((part.usage as Body | undefined) ?? {}).output_tokens = 1;
      return [part];
    }),
  ),
  upstream(
    ['cache.written-as-read', 'cached_tokens holds what was written too', 'CACHE-007', 'read-count'],
    counting('messages', (usage) => {
      usage.cache_read_input_tokens =
        countOf(usage, 'cache_read_input_tokens') + countOf(usage, 'cache_creation_input_tokens');
      delete usage.cache_creation_input_tokens;
      delete usage.cache_creation;
    }),
  ),
  upstream(
    [
      'cache.messages-streamed-reads-dropped',
      'what stands at the start of a messages stream about its cache is not read',
      'CACHE-007',
      'read-count',
    ],
    eventsOf('messages', (part) => {
      const usage = (part.message as Body | undefined)?.usage as Body | undefined;
      if (usage) {
        usage.input_tokens = countOf(usage, 'input_tokens') + countOf(usage, 'cache_read_input_tokens');
        usage.cache_read_input_tokens = 0;
      }
      return [part];
    }),
  ),
];
