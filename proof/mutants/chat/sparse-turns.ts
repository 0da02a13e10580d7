import { type Body, objectsIn } from '../../../suites/rewrite/json.ts';
import { messagesIn, refuses } from '../../edits/chat-edits.ts';
import type { Mutant } from '../../edits/mutant.ts';
import { front, source, upstream } from '../../edits/mutant.ts';
import { nativeBlocks, toUpstream } from '../../edits/native-edits.ts';

/** Gateways that pass on blank turns and blocks unchanged, or drop too much with them. */

const isBlank = (content: unknown): boolean => typeof content === 'string' && content.trim() === '';

/** Changes each text block of user turns. */
const inTexts = (edit: (block: Body) => readonly Body[]) =>
  toUpstream('messages', (body) => {
    for (const message of messagesIn(body))
      if (Array.isArray(message.content))
        message.content = objectsIn(message.content).flatMap((block) =>
          typeof block.text === 'string' ? edit(block) : [block],
        );
  });

export const sparseTurnMutants: readonly Mutant[] = [
  source(
    [
      'chat.answers-alone-passed-on',
      'assistant turns alone reach an upstream that requires a user turn',
      'CHAT-010',
      'blank-accepted',
    ],
    'requests/native-body/generate-content/contents.ts',
    "if (contents.every(({ role }) => role === 'model')) contents.unshift({ role: 'user', parts: [standIn] });",
    '',
  ),
  upstream(
    ['chat.blank-block-passed-on', 'a blank block is passed on as it is', 'MSG-015', 'blank-accepted'],
    inTexts((block) => {
      const [, text, blank = ''] = /^(.*\S)(\n+)$/s.exec(String(block.text)) ?? [];
      return text === undefined
        ? [block]
        : [
            { ...block, text },
            { type: 'text', text: blank },
          ];
    }),
  ),
  upstream(
    ['chat.blank-block-lost', 'white space between two texts is lost', 'CHAT-010', 'none-dropped'],
    inTexts((block) => [{ ...block, text: String(block.text).trimEnd() }]),
  ),
  upstream(
    [
      'chat.blank-user-passed-on',
      'a blank turn of the user is passed on as it is',
      'MSG-007',
      'blank-accepted',
    ],
    inTexts((block) => [block.text === '.' ? { ...block, text: ' ' } : block]),
  ),
  upstream(
    ['chat.empty-answer-passed-on', 'an empty answer is passed on as it is', 'MSG-011', 'blank-accepted'],
    toUpstream('messages', (body) => {
      body.messages = messagesIn(body).flatMap((message, at, all) =>
        message.role === 'user' && all[at - 1]?.role === 'user'
          ? [{ role: 'assistant', content: '' }, message]
          : [message],
      );
    }),
  ),
  upstream(
    ['chat.blank-result-passed-on', 'a blank result is passed on as a block', 'TOOL-013', 'blank-accepted'],
    toUpstream('messages', (body) => {
      for (const result of nativeBlocks(body, 'tool_result'))
        if (isBlank(result.content)) result.content = [{ type: 'text', text: result.content }];
    }),
  ),
  front(
    ['chat.empty-system-refused', 'a system message has to have words', 'MSG-003', 'blank-accepted'],
    refuses(
      (body) => messagesIn(body).some(({ role, content }) => role === 'system' && isBlank(content)),
      'invalid_param',
      'messages',
    ),
  ),
  front(
    [
      'chat.follow-up-needs-tools',
      'a follow-up without definitions of the tools ends as a failure of the upstream',
      'TOOL-012',
      'without-tools',
    ],
    refuses(
      (body) => body.tools === undefined && messagesIn(body).some(({ role }) => role === 'tool'),
      'upstream_error',
    ),
  ),
];
