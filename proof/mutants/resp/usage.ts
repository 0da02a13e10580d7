import type { Body } from '../../../suites/rewrite/json.ts';
import { editRequest } from '../../../suites/rewrite/mutation.ts';
import { failingUpstream, inPlain, recount, usageOf } from '../../edits/chat-edits.ts';
import type { Mutant } from '../../edits/mutant.ts';
import { front, upstream } from '../../edits/mutant.ts';
import { shape } from './shape.ts';

/** Gateways that count tokens wrongly. */
export const respUsageMutants: readonly Mutant[] = [
  shape('resp.usage-missing', 'usage is left out', 'RESP-014', (body) => delete body.usage),
  shape('resp.prompt-tokens-text', 'prompt_tokens is a text', 'RESP-015', (body) =>
    Object.assign(usageOf(body) ?? {}, { prompt_tokens: String(usageOf(body)?.prompt_tokens) }),
  ),
  shape('resp.completion-tokens-fraction', 'completion_tokens is a fraction', 'RESP-019', (body) =>
    recount(body, ({ completion_tokens = 0 }) => ({ completion_tokens: completion_tokens + 0.5 })),
  ),
  shape(
    'resp.total-missing',
    'total_tokens is left out',
    'RESP-020',
    (body) => delete usageOf(body)?.total_tokens,
  ),
  shape('resp.cached-negative', 'cached_tokens is negative', 'RESP-021', (body) =>
    Object.assign(usageOf(body) ?? {}, { prompt_tokens_details: { cached_tokens: -1 } }),
  ),
  usage('resp.prompt-not-counted', 'prompt_tokens is always 0', 'RESP-015', 'prompt-counted', () => ({
    prompt_tokens: 0,
  })),
  usage(
    'resp.completion-not-counted',
    'completion_tokens is always 0',
    'RESP-019',
    'completion-counted',
    () => ({ completion_tokens: 0 }),
  ),
  front(
    ['resp.total-off-by-one', 'total_tokens is one too many', 'RESP-020', 'total-is-sum'],
    inPlain((body) => {
      const counted = usageOf(body);
      if (counted !== null) counted.total_tokens = (counted.total_tokens ?? 0) + 1;
    }),
  ),
  front(
    [
      'resp.cached-above-prompt',
      'cached tokens are not counted in prompt_tokens',
      'RESP-021',
      'cached-within-prompt',
    ],
    inPlain((body) => {
      const counted = usageOf(body);
      if (counted === null) return;
      Object.assign(counted, { prompt_tokens_details: { cached_tokens: (counted.prompt_tokens ?? 0) + 1 } });
    }),
  ),
  front(
    ['resp.cached-dropped', 'cached_tokens is never reported', 'RESP-022', 'cached-verbatim'],
    inPlain((body) => void delete usageOf(body)?.prompt_tokens_details),
  ),
  front(
    [
      'resp.counts-last-message',
      'only the last message counts into prompt_tokens',
      'RESP-016',
      'another-message',
    ],
    inPlain((body, request) => {
      recount(body, () => ({ prompt_tokens: 5 + lastMessage(request).split(' ').length }));
    }),
  ),
  front(
    [
      'resp.counts-messages-alone',
      'prompt_tokens counts messages and not their words',
      'RESP-016',
      'longer-message',
    ],
    inPlain((body, request) => {
      recount(body, () => ({
        prompt_tokens: 10 * ((request.messages as unknown[] | undefined)?.length ?? 1),
      }));
    }),
  ),
  upstream(
    [
      'resp.tools-not-counted',
      'tool definitions do not reach the upstream and so do not count',
      'RESP-017',
      'another-tool',
    ],
    {
      request: editRequest((body) => {
        delete body.tools;
        delete body.tool_choice;
      }),
    },
  ),
  upstream(
    [
      'resp.uncounted-blames-caller',
      'when the upstream does not count, the answer says that the request was wrong',
      'RESP-014',
      'uncounted-upstream',
    ],
    failingUpstream((body) => Array.isArray(body.choices) && body.usage === undefined, 400, {
      message: 'These messages cannot be counted.',
      type: 'invalid_request_error',
      param: 'messages',
    }),
  ),
];

function usage(
  id: string,
  title: string,
  requirement: string,
  aspect: string,
  counts: (usage: Record<string, number>) => Record<string, number>,
): Mutant {
  return front(
    [id, title, requirement, aspect],
    inPlain((body) => recount(body, counts)),
  );
}

function lastMessage(request: Body): string {
  const last = (request.messages as { content?: unknown }[] | undefined)?.at(-1);
  return typeof last?.content === 'string' ? last.content : '';
}
