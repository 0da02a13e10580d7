import { type Body, objectsIn, upstream } from '../../../mutation/defects.ts';
import type { Mutant } from '../../../mutation/mutant.ts';
import { eventsOf, fromUpstream } from '../../../mutation/native-edits.ts';

/** Gateways that know the usual form of a dialect's answers and stumble over, or misread, the others. */

const textUnchanged = ['RESP-024', 'text-unchanged'] as const;
const fragmentsJoin = ['SSE-007', 'fragments-join'] as const;

/** Changes the parts of every candidate. */
function candidateParts(edit: (parts: readonly Body[]) => readonly Body[]): (part: Body) => void {
  return (response) => {
    for (const candidate of objectsIn(response.candidates)) {
      const content = candidate.content as Body | undefined;
      if (Array.isArray(content?.parts)) content.parts = edit(objectsIn(content.parts));
    }
  };
}

const answersRead: readonly Mutant[] = [
  upstream(
    [
      'resp.messages-first-text',
      'of several text blocks of a plain answer the first counts',
      ...textUnchanged,
    ],
    fromUpstream('messages', (message) => {
      const content = objectsIn(message.content);
      const first = content.find((block) => block.type === 'text');
      if (message.type === 'message' && message.stop_reason !== null)
        message.content = content.filter((block) => block.type !== 'text' || block === first);
    }),
  ),
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
    ['resp.messages-thoughts-shown', 'thoughts of a plain messages answer are text', ...textUnchanged],
    fromUpstream('messages', (message) => {
      for (const block of objectsIn(message.content))
        if (block.type === 'thinking') Object.assign(block, { type: 'text', text: block.thinking });
    }),
  ),
  upstream(
    ['sse.messages-thoughts-shown', 'thoughts of a messages stream are text', ...fragmentsJoin],
    eventsOf('messages', (event) => {
      const delta = event.delta as Body | undefined;
      if (delta?.type !== 'thinking_delta') return [event];
      return [{ ...event, delta: { type: 'text_delta', text: delta.thinking }, index: 2 }];
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
  upstream(
    [
      'sse.messages-later-events-fail',
      'an unknown event makes a messages stream unreadable',
      'SSE-007',
      'accepts-native-form',
    ],
    eventsOf('messages', (event) =>
      String(event.type).endsWith('_of_later') ? [{ type: 'content_block_start', index: 0 }] : [event],
    ),
  ),
  upstream(
    [
      'sse.messages-second-text-lost',
      'of the text blocks of a messages stream the first counts',
      ...fragmentsJoin,
    ],
    eventsOf('messages', (event) => {
      const delta = event.delta as Body | undefined;
      return delta?.type === 'text_delta' && event.index !== 0 ? [] : [event];
    }),
  ),
  upstream(
    ['resp.messages-line-ends', 'line ends in a messages answer are made the same', ...textUnchanged],
    fromUpstream('messages', (message) => {
      for (const block of objectsIn(message.content))
        if (typeof block.text === 'string') block.text = block.text.replaceAll('\r\n', '\n');
    }),
  ),
  upstream(
    ['sse.generate-composed', 'characters in a generate-content stream are composed', ...fragmentsJoin],
    eventsOf('generate-content', (response) => [
      JSON.parse(JSON.stringify(response).normalize('NFC')) as Body,
    ]),
  ),
  upstream(
    [
      'resp.generate-first-part',
      'of the parts of a generate-content answer the first counts',
      ...textUnchanged,
    ],
    fromUpstream(
      'generate-content',
      candidateParts((parts) => parts.slice(0, 1)),
    ),
  ),
  upstream(
    ['resp.generate-thoughts-shown', 'thoughts of a generate-content answer are text', ...textUnchanged],
    fromUpstream(
      'generate-content',
      candidateParts((parts) => parts.map(({ thought: _thought, ...part }) => part)),
    ),
  ),
  upstream(
    [
      'tool.generate-nothing-for-arguments',
      'a call without arguments in a generate-content answer is left out',
      'TOOL-006',
      'all-calls-in-order',
    ],
    fromUpstream(
      'generate-content',
      candidateParts((parts) =>
        parts.filter(({ functionCall: call }) => call === undefined || 'args' in Object(call)),
      ),
    ),
  ),
  upstream(
    [
      'tool.generate-equal-calls-joined',
      'equal calls in a generate-content stream are one',
      'TOOL-018',
      'all-calls-in-order',
    ],
    withoutRepeatedCalls(),
  ),
  upstream(
    [
      'sse.generate-late-count',
      'a count that comes after the end of a generate-content stream is not read',
      'SSE-011',
      'verbatim',
    ],
    eventsOf('generate-content', (response) => {
      const usage = response.usageMetadata as Body | undefined;
      if (usage && response.candidates === undefined) usage.candidatesTokenCount = 1;
      return [response];
    }),
  ),
  upstream(
    [
      'resp.chat-thoughts-shown',
      'what a chat-completions upstream calls reasoning is text',
      ...textUnchanged,
    ],
    fromUpstream('chat-completions', (part) => {
      const [choice] = objectsIn(part.choices);
      const message = choice?.message as Body | undefined;
      if (message?.reasoning_content)
        message.content = `${String(message.reasoning_content)}${String(message.content)}`;
    }),
  ),
];

/** Drops a function call that says what an earlier one of the same stream said. */
function withoutRepeatedCalls(): ReturnType<typeof eventsOf> {
  return {
    events: (request) => {
      const seen = new Set<string>();
      const each = eventsOf('generate-content', (response) => {
        candidateParts((parts) =>
          parts.filter(({ functionCall: call }) => {
            const text = JSON.stringify(call);
            const isNew = call === undefined || !seen.has(text);
            seen.add(text);
            return isNew;
          }),
        )(response);
        return [response];
      });
      return each.events?.(request) ?? ((event) => (event === null ? [] : [event]));
    },
  };
}

export const nativeFormMutants: readonly Mutant[] = answersRead;
