import { failingUpstream, inPlain, type Json, recount, usageOf } from '../../../mutation/edits.ts';
import type { Mutant } from '../../../mutation/mutant.ts';
import { editRequest } from '../../../mutation/mutation.ts';
import { shape } from './shape.ts';

/** Gateways that count wrong. */
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
  {
    id: 'resp.total-off-by-one',
    title: 'total_tokens is one too many',
    requirement: 'RESP-020',
    aspect: 'total-is-sum',
    kind: 'front',
    mutation: inPlain((body) => {
      const counted = usageOf(body);
      if (counted !== null) counted.total_tokens = (counted.total_tokens ?? 0) + 1;
    }),
  },
  {
    id: 'resp.cached-above-prompt',
    title: 'cached tokens are not counted in prompt_tokens',
    requirement: 'RESP-021',
    aspect: 'cached-within-prompt',
    kind: 'front',
    mutation: inPlain((body) => {
      const counted = usageOf(body);
      if (counted === null) return;
      Object.assign(counted, { prompt_tokens_details: { cached_tokens: (counted.prompt_tokens ?? 0) + 1 } });
    }),
  },
  usage('resp.counts-itself', 'the gateway counts the prompt itself', 'RESP-022', 'verbatim', (counted) => ({
    prompt_tokens: (counted.prompt_tokens ?? 0) + 1,
  })),
  {
    id: 'resp.cached-dropped',
    title: 'cached_tokens is never reported',
    requirement: 'RESP-022',
    aspect: 'cached-verbatim',
    kind: 'front',
    mutation: inPlain((body) => void delete usageOf(body)?.prompt_tokens_details),
  },
  {
    id: 'resp.counts-last-message',
    title: 'only the last message counts into prompt_tokens',
    requirement: 'RESP-016',
    aspect: 'another-message',
    kind: 'front',
    mutation: inPlain((body, request) => {
      recount(body, () => ({ prompt_tokens: 5 + lastMessage(request).split(' ').length }));
    }),
  },
  {
    id: 'resp.counts-messages-alone',
    title: 'prompt_tokens counts messages and not their words',
    requirement: 'RESP-016',
    aspect: 'longer-message',
    kind: 'front',
    mutation: inPlain((body, request) => {
      recount(body, () => ({
        prompt_tokens: 10 * ((request.messages as unknown[] | undefined)?.length ?? 1),
      }));
    }),
  },
  {
    id: 'resp.tools-not-counted',
    title: 'tool definitions do not reach the upstream and so do not count',
    requirement: 'RESP-017',
    aspect: 'another-tool',
    kind: 'upstream',
    mutation: {
      request: editRequest((body) => {
        delete body.tools;
        delete body.tool_choice;
      }),
    },
  },
  {
    id: 'resp.uncounted-blames-caller',
    title: 'when the upstream does not count, the caller is told that the request was wrong',
    requirement: 'RESP-014',
    aspect: 'uncounted-upstream',
    kind: 'upstream',
    mutation: failingUpstream((body) => Array.isArray(body.choices) && body.usage === undefined, 400, {
      message: 'These messages cannot be counted.',
      type: 'invalid_request_error',
      param: 'messages',
    }),
  },
];

function usage(
  id: string,
  title: string,
  requirement: string,
  aspect: string,
  counts: (usage: Record<string, number>) => Record<string, number>,
): Mutant {
  return {
    id,
    title,
    requirement,
    aspect,
    kind: 'front',
    mutation: inPlain((body) => recount(body, counts)),
  };
}

function lastMessage(request: Json): string {
  const last = (request.messages as { content?: unknown }[] | undefined)?.at(-1);
  return typeof last?.content === 'string' ? last.content : '';
}
