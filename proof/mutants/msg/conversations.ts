import type { Body } from '../../../suites/rewrite/json.ts';
import { inRequests, messagesIn, refuses } from '../../edits/chat-edits.ts';
import type { Mutant } from '../../edits/mutant.ts';
import { front } from '../../edits/mutant.ts';

/** Gateways that are wrong about which turns may follow each other. */

const systems = (body: Body): Body[] => messagesIn(body).filter((message) => message.role === 'system');

const isLate = (body: Body): boolean => {
  const [first, ...others] = messagesIn(body);
  return first?.role !== 'system' && others.some((message) => message.role === 'system');
};

export const systemMutants: readonly Mutant[] = [
  front(
    ['msg.leading-system-refused', 'a system message is refused', 'MSG-005', 'leading-system-accepted'],
    refuses((body) => systems(body).length === 1 && !isLate(body), 'invalid_param', 'messages'),
  ),
  front(
    ['msg.second-system-breaks', 'a second system message fails inside', 'MSG-004', 'clean-either-way'],
    refuses((body) => systems(body).length > 1, 'internal_error'),
  ),
  front(
    ['msg.late-system-breaks', 'a late system message blames the upstream', 'MSG-005', 'clean-either-way'],
    refuses(isLate, 'upstream_error'),
  ),
  front(
    ['msg.second-system-dropped', 'of several system messages the first counts', 'MSG-004', 'none-dropped'],
    inRequests((body) => {
      const [, ...others] = systems(body);
      if (others.length > 0) body.messages = messagesIn(body).filter((message) => !others.includes(message));
    }),
  ),
  front(
    [
      'msg.late-system-dropped',
      'a system message that is not the first is dropped',
      'MSG-005',
      'none-dropped',
    ],
    inRequests((body) => {
      if (isLate(body)) body.messages = messagesIn(body).filter((message) => message.role !== 'system');
    }),
  ),
];

export const lengthMutants: readonly Mutant[] = [
  front(
    ['msg.twenty-turns', 'a conversation may have 20 messages', 'MSG-031', 'long-talk-accepted'],
    refuses((body) => messagesIn(body).length > 20, 'invalid_param', 'messages'),
  ),
];
