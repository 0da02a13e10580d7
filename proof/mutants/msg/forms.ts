import { type Body, objectsIn } from '../../../suites/rewrite/json.ts';
import { inRequests, messagesIn, refuses } from '../../edits/chat-edits.ts';
import type { Mutant } from '../../edits/mutant.ts';
import { front } from '../../edits/mutant.ts';

/** Gateways that are wrong about the forms of messages. */

const roles = ['system', 'user', 'assistant', 'tool'];
const plain = (value: unknown): boolean => typeof value === 'string' || Array.isArray(value);

/** Changes each message of a role, so that an invalid one passes. */
const mends = (role: string, mend: (message: Body) => void) =>
  inRequests((body) => {
    for (const message of messagesIn(body)) if (message.role === role) mend(message);
  });

/** Refuses requests with a message of a role, or a block, that meets a condition. */
const refusesMessage = (role: string, when: (message: Body) => boolean) =>
  refuses(
    (body) => messagesIn(body).some((message) => message.role === role && when(message)),
    'invalid_param',
    'messages',
  );

/** Reports what the specification leaves open as an upstream failure. */
const fails = (when: (message: Body) => boolean) =>
  refuses((body) => messagesIn(body).some(when), 'upstream_error');

export const messageMutants: readonly Mutant[] = [
  front(
    ['msg.tool-role-refused', 'the role tool is unknown', 'MSG-001', 'roles-accepted'],
    refusesMessage('tool', () => true),
  ),
  front(
    ['msg.any-role', 'a message of an unknown role counts as a user message', 'MSG-001', 'role-known'],
    inRequests((body) => {
      for (const message of messagesIn(body))
        if ('role' in message && !roles.includes(String(message.role))) message.role = 'user';
    }),
  ),
  front(
    ['msg.role-default', 'a message without role counts as a user message', 'MSG-002', 'role-required'],
    inRequests((body) => {
      for (const message of messagesIn(body)) if (!('role' in message)) message.role = 'user';
    }),
  ),
  front(
    [
      'msg.developer-fails',
      'the role developer ends as a failure of the upstream',
      'MSG-001',
      'clean-either-way',
    ],
    fails((message) => message.role === 'developer'),
  ),
  front(
    ['msg.system-refused', 'system messages are refused', 'MSG-003', 'string-accepted'],
    refusesMessage('system', () => true),
  ),
  front(
    ['msg.system-any-content', 'system content of another type becomes a string', 'MSG-003', 'content-type'],
    mends('system', (message) => {
      message.content = JSON.stringify(message.content);
    }),
  ),
  front(
    [
      'msg.system-blocks-fail',
      'system content as blocks ends as a failure of the upstream',
      'MSG-003',
      'clean-either-way',
    ],
    fails((message) => message.role === 'system' && Array.isArray(message.content)),
  ),
  front(
    ['msg.user-ascii', 'user text has to be ASCII', 'MSG-007', 'string-accepted'],
    refusesMessage('user', (message) => /[^\t-~]/.test(String(message.content))),
  ),
  front(
    ['msg.blocks-refused', 'user content has to be a string', 'MSG-008', 'blocks-accepted'],
    refusesMessage('user', (message) => Array.isArray(message.content)),
  ),
  front(
    ['msg.user-any-content', 'user content of another form becomes a string', 'MSG-009', 'content-type'],
    mends('user', (message) => {
      const { content } = message;
      if (
        content !== null &&
        content !== undefined &&
        (!plain(content) || (Array.isArray(content) && objectsIn(content).length < content.length))
      )
        message.content = JSON.stringify(content);
    }),
  ),
  front(
    [
      'msg.user-content-default',
      'a user message without content is an empty one',
      'MSG-009',
      'content-required',
    ],
    mends('user', (message) => {
      message.content ??= '.';
    }),
  ),
  front(
    [
      'msg.empty-user-fails',
      'an empty user message ends as a failure of the upstream',
      'MSG-009',
      'clean-either-way',
    ],
    fails((message) => message.role === 'user' && message.content === ''),
  ),
  front(
    ['msg.assistant-refused', 'assistant turns are refused', 'MSG-011', 'string-accepted'],
    refusesMessage('assistant', (message) => !('tool_calls' in message)),
  ),
  front(
    [
      'msg.assistant-null-refused',
      'an assistant turn has to have text, tool calls or not',
      'MSG-011',
      'null-beside-calls',
    ],
    refusesMessage('assistant', (message) => message.content === null && Array.isArray(message.tool_calls)),
  ),
  front(
    ['msg.assistant-text-refused', 'text beside tool calls is refused', 'MSG-012', 'text-beside-calls'],
    refusesMessage(
      'assistant',
      (message) => typeof message.content === 'string' && objectsIn(message.tool_calls).length > 0,
    ),
  ),
  front(
    [
      'msg.assistant-any-content',
      'assistant content of another type becomes a string',
      'MSG-011',
      'content-type',
    ],
    mends('assistant', (message) => {
      if (!plain(message.content) && message.content !== null && message.content !== undefined)
        message.content = JSON.stringify(message.content);
    }),
  ),
  front(
    [
      'msg.assistant-blocks-fail',
      'assistant content as blocks ends as a failure of the upstream',
      'MSG-011',
      'clean-either-way',
    ],
    fails((message) => message.role === 'assistant' && Array.isArray(message.content)),
  ),
  front(
    ['msg.tool-any-content', 'tool content of another type becomes a string', 'MSG-013', 'content-type'],
    mends('tool', (message) => {
      if ('content' in message && !plain(message.content)) message.content = JSON.stringify(message.content);
    }),
  ),
  front(
    [
      'msg.tool-blocks-fail',
      'tool content as blocks ends as a failure of the upstream',
      'MSG-013',
      'clean-either-way',
    ],
    fails((message) => message.role === 'tool' && Array.isArray(message.content)),
  ),
  front(
    [
      'msg.tool-content-default',
      'a tool message without content is an empty one',
      'TOOL-013',
      'content-required',
    ],
    mends('tool', (message) => {
      if (!('content' in message)) message.content = '';
    }),
  ),
  front(
    ['msg.tool-empty-refused', 'an empty tool result is refused', 'TOOL-013', 'result-accepted'],
    refusesMessage('tool', (message) => message.content === ''),
  ),
  front(
    [
      'msg.call-id-guessed',
      'a tool message without tool_call_id counts for the last call',
      'MSG-014',
      'call-id',
    ],
    mends('tool', (message) => {
      if (typeof message.tool_call_id !== 'string') message.tool_call_id = 'call_1';
    }),
  ),
  front(
    [
      'msg.orphan-fails',
      'a result of no call ends as a failure of the upstream',
      'MSG-014',
      'clean-either-way',
    ],
    fails((message) => message.tool_call_id === 'call_unknown'),
  ),
];
