import { type Body, objectsIn } from '../../../suites/rewrite/json.ts';
import { type Mutant, source, upstream } from '../../edits/mutant.ts';
import { counting, countOf, fromUpstream } from '../../edits/native-edits.ts';

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

/** Gateways that add up an upstream's counts wrongly. Simulated by changed counts. */

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

/** Gateways that fail on unusual forms of a dialect's answers, or misread them. */

const textUnchanged = ['RESP-024', 'text-unchanged'] as const;
const answersRead: readonly Mutant[] = [
  upstream(
    ['resp.messages-texts-by-line', 'the text blocks of a plain answer become lines', ...textUnchanged],
    fromUpstream('messages', (message) => {
      for (const block of objectsIn(message.content)
        .filter(({ type }) => type === 'text')
        .slice(1))
        block.text = `\n${String(block.text)}`;
    }),
  ),
  upstream(
    [
      'resp.messages-later-blocks-fail',
      'a block of an unknown kind makes a messages answer unreadable',
      'RESP-024',
      'accepts-native-form',
    ],
    fromUpstream('messages', (message) => {
      const known = ['text', 'tool_use', 'thinking', 'redacted_thinking'];
      if (objectsIn(message.content).some(({ type }) => !known.includes(String(type))))
        delete message.content;
    }),
  ),
  source(
    ['resp.parts-cut-short', 'of a text in several parts only the first counts', 'RESP-024', 'parts-joined'],
    'upstreams/chat-completions/stream.ts',
    "? texts.join('') : undefined;",
    "? (texts[0] ?? '') : undefined;",
  ),
  // Beside lost fragments: here text and end share an event.
  source(
    [
      'resp.last-text-lost',
      'the text of the event that ends a generate-content stream for want of room is lost',
      'SSE-007',
      'fragments-join',
    ],
    'upstreams/generate-content/stream.ts',
    'return this.end.take(said, candidate.finishReason, pieces);',
    `const isLost = candidate.finishReason === 'MAX_TOKENS' && this.end.hasSaid;
    return this.end.take(isLost ? [] : said, candidate.finishReason, pieces);`,
  ),
  // Beside every cut answer: here only those whose chunks have an empty reason before the end.
  source(
    [
      'resp.finish-by-the-first',
      'an empty finish reason before the end counts as stop, and as the last one',
      'RESP-011',
      'cut-by-max-tokens',
    ],
    'upstreams/chat-completions/stream.ts',
    '    const error = choice.error === undefined ? null',
    `    const first = ((this as { first?: string }).first ??= choice.finish_reason === '' ? 'stop' : undefined);
    if (first !== undefined) choice.finish_reason = first;
    const error = choice.error === undefined ? null`,
  ),
];

export const nativeFormMutants: readonly Mutant[] = answersRead;
