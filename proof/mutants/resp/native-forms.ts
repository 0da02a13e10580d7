import { objectsIn } from '../../../suites/rewrite/json.ts';
import type { Mutant } from '../../edits/mutant.ts';
import { source, upstream } from '../../edits/mutant.ts';
import { fromUpstream } from '../../edits/native-edits.ts';

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
    'upstreams/chat-completions/content.ts',
    "? texts.join('') : undefined;",
    "? (texts[0] ?? '') : undefined;",
  ),
];

export const nativeFormMutants: readonly Mutant[] = answersRead;
