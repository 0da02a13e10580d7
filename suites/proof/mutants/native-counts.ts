import type { Dialect } from '../../oracle/native/view.ts';
import type { Mutant } from '../mutant.ts';
import type { Mutation } from '../mutation.ts';
import { type Body, upstream } from './defects.ts';
import { eventsOf, fromUpstream } from './native-edits.ts';

/** Gateways that add up the counts of an upstream wrongly. Each is one that reads right what was changed before. */

/** Changes the usage wherever one dialect reports it. */
export function counting(dialect: Dialect, edit: (usage: Body) => void): Mutation {
  return fromUpstream(dialect, (part) => {
    const usage = usageIn(part);
    if (usage !== undefined) edit(usage);
  });
}

/** The usage of an answer or of an event, in whatever place its dialect has for it. */
export function usageIn(part: Body): Body | undefined {
  const usage = part.usage ?? (part.message as Body | undefined)?.usage ?? part.usageMetadata;
  return usage === null ? undefined : (usage as Body | undefined);
}

export function countOf(usage: Body, name: string): number {
  return Number(usage[name] ?? 0);
}

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
