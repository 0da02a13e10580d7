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
    ['resp.messages-texts-by-line', 'the text blocks of a plain answer become lines', ...textUnchanged],
    fromUpstream('messages', (message) => {
      for (const block of objectsIn(message.content)
        .filter(({ type }) => type === 'text')
        .slice(1))
        block.text = `\n${String(block.text)}`;
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
];

export const nativeFormMutants: readonly Mutant[] = answersRead;
