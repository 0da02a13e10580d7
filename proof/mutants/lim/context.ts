import { chatModel } from '../../../suites/oracle/chat-catalogue.ts';
import { dialectOfPath, isCountingCall } from '../../../suites/oracle/native/dialects.ts';
import type { Dialect } from '../../../suites/profile/dialects.ts';
import { type Body, objectIn } from '../../../suites/rewrite/json.ts';
import type { Mutation } from '../../../suites/rewrite/mutation.ts';
import { inRequests, refuses } from '../../edits/chat-edits.ts';
import type { Mutant } from '../../edits/mutant.ts';
import { front, upstream } from '../../edits/mutant.ts';

/** Gateways that count the context window wrongly, on all models or on one family. */

const asksFor = (body: Body): number => (typeof body.max_tokens === 'number' ? body.max_tokens : 0);
const windowOf = (body: Body): number => (chatModel(String(body.model))?.contextK ?? 0) * 1_000;
const isOf = (family: string, body: Body): boolean => chatModel(String(body.model))?.family === family;
const isLong = (body: Body): boolean => JSON.stringify(body.messages ?? '').length > 100_000;

/** Counts only the prompt or only max_tokens, never their sum. */
const addsNothing = (when: (body: Body) => boolean) =>
  inRequests((body) => {
    if (isLong(body) && when(body)) body.max_tokens = Math.min(asksFor(body), 16);
  });

/** Leaves a part of the prompt out of the token count. */
const countsWithout = (dialect: Dialect, ...names: readonly string[]): Mutation => ({
  request: (request) => {
    const body = objectIn(request.body);
    if (body === null || dialectOfPath(request.path) !== dialect || !isCountingCall(request.path))
      return request;
    const counted = (body.generateContentRequest ?? body) as Body;
    for (const name of names) delete counted[name];
    return { ...request, body: Buffer.from(JSON.stringify(body)) };
  },
});

export const limContextMutants: readonly Mutant[] = [
  upstream(
    [
      'lim.messages-tools-uncounted',
      'tools do not count for the window where a messages upstream counts',
      'LIM-016',
      'exact-refused',
    ],
    countsWithout('messages', 'tools', 'tool_choice'),
  ),
  front(
    [
      'lim.sum-unseen-alpha',
      'on alpha-* models prompt and max_tokens are judged each for itself',
      'LIM-016',
      'sum-refused',
    ],
    addsNothing((body) => isOf('alpha', body)),
  ),
  front(
    ['lim.sum-of-characters', 'the prompt is counted in characters', 'LIM-016', 'sum-accepted'],
    refuses(
      (body) =>
        asksFor(body) > 1_000 && asksFor(body) + JSON.stringify(body.messages).length > windowOf(body),
      'context_too_long',
      'messages',
    ),
  ),
];
