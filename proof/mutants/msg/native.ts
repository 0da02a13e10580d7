import { type Body, objectsIn } from '../../../suites/rewrite/json.ts';
import { messagesIn, refuses } from '../../edits/chat-edits.ts';
import type { Mutant } from '../../edits/mutant.ts';
import { front, source, upstream } from '../../edits/mutant.ts';
import { toUpstream } from '../../edits/native-edits.ts';

/** Moves the system text of a messages request into its first turn. */
function intoPrompt(body: Body): void {
  const [first] = objectsIn(body.messages);
  const system =
    typeof body.system === 'string' ? [{ type: 'text', text: body.system }] : objectsIn(body.system);
  if (first === undefined || system.length === 0) return;
  const said =
    typeof first.content === 'string' ? [{ type: 'text', text: first.content }] : objectsIn(first.content);
  first.content = [...system, ...said];
}

const requestsWritten: readonly Mutant[] = [
  upstream(
    [
      'msg.messages-system-in-prompt',
      'the system text stands before the prompt in a messages request',
      'MSG-006',
      'system-delivered',
    ],
    toUpstream('messages', (body) => {
      intoPrompt(body);
      delete body.system;
    }),
  ),
  upstream(
    [
      'msg.messages-system-twice',
      'the system text stands before the prompt too in a messages request',
      'MSG-006',
      'system-alone',
    ],
    toUpstream('messages', intoPrompt),
  ),
  front(
    ['msg.system-with-tools-refused', 'system text beside tools is refused', 'MSG-006', 'system-accepted'],
    refuses((body) => 'tools' in body && messagesIn(body)[0]?.role === 'system', 'invalid_param', 'messages'),
  ),
];

/** Gateways that lose a part of a message when they translate it. */
export const msgNativeMutants: readonly Mutant[] = [
  source(
    [
      'msg.first-dot-is-ending',
      'the kind of a link follows from the first dot of its path',
      'MSG-023',
      'dotted-link-intact',
    ],
    'requests/media-url.ts',
    '{2,4})$/i.exec(',
    '{2,4})/i.exec(',
  ),
  ...requestsWritten,
];
