import { type Body, objectsIn } from '../../../suites/rewrite/json.ts';
import { editAnswer, type Mutation } from '../../../suites/rewrite/mutation.ts';
import type { Mutant } from '../../edits/mutant.ts';
import { type Claim, front } from '../../edits/mutant.ts';

/** Gateways whose compat paths report the same upstream answer differently. */

const same = (protocol: string, what: string, title: string): Claim => [
  `faces.${protocol}-other-${what}`,
  title,
  protocol === 'a' ? 'COMPA-019' : 'COMPB-010',
  `same-${what}`,
];

/** Changes plain messages of compat path A. */
function inA(edit: (message: Body) => void): Mutation {
  return {
    answer: editAnswer((body) => {
      if (body.type === 'message') edit(body);
    }),
  };
}

/** Changes plain answers of compat path B: the first candidate, and the whole. */
function inB(edit: (candidate: Body, whole: Body) => void): Mutation {
  return {
    answer: editAnswer((body) => {
      for (const candidate of objectsIn(body.candidates)) edit(candidate, body);
    }),
  };
}

function partsOf(candidate: Body): Body[] {
  const { content } = candidate;
  return content === null || typeof content !== 'object' ? [] : objectsIn((content as Body).parts);
}

export const facesAnswerMutants: readonly Mutant[] = [
  front(
    same('a', 'text', 'compat path A trims texts'),
    inA(({ content }) => {
      for (const block of objectsIn(content))
        if (block.type === 'text') block.text = `${String(block.text).slice(0, -1)}_`;
    }),
  ),
  front(
    same('a', 'calls', 'compat path A loses the arguments of calls'),
    inA(({ content }) => {
      for (const block of objectsIn(content)) if (block.type === 'tool_use') block.input = {};
    }),
  ),
  front(
    same('a', 'finish', 'compat path A reports what was cut short as finished'),
    inA((message) => {
      if (message.stop_reason === 'max_tokens') message.stop_reason = 'end_turn';
    }),
  ),
  front(
    same('a', 'counts', 'compat path A reports no cache reads'),
    inA(({ usage }) => {
      Object.assign(usage as Body, { cache_read_input_tokens: 0 });
    }),
  ),
  front(
    same('b', 'text', 'compat path B changes texts'),
    inB((candidate) => {
      for (const part of partsOf(candidate))
        if (typeof part.text === 'string') part.text = part.text.replaceAll(/\s/g, '_');
    }),
  ),
  front(
    same('b', 'calls', 'compat path B loses the second call'),
    inB((candidate) => {
      const parts = partsOf(candidate);
      const second = parts.filter(({ functionCall }) => functionCall !== undefined)[1];
      Object.assign(candidate, {
        content: { role: 'model', parts: parts.filter((part) => part !== second) },
      });
    }),
  ),
  front(
    same('b', 'finish', 'compat path B reports what was cut short as finished'),
    inB((candidate) => {
      if (candidate.finishReason === 'MAX_TOKENS') candidate.finishReason = 'STOP';
    }),
  ),
  front(
    same('b', 'counts', 'compat path B reports no cache reads'),
    inB((_, { usageMetadata }) => {
      Object.assign(usageMetadata as Body, { cachedContentTokenCount: undefined });
    }),
  ),
  front(
    [
      'faces.broken-starts-anew',
      'a broken stream of the compat paths continues with another answer',
      'ROUTE-006',
      'once-begun',
    ],
    {
      events:
        ({ path }) =>
        (event) => {
          if (event === null) return [];
          const fails = path.startsWith('/compat-') && event.includes('"error":{');
          return fails ? ['data: {"text":"All over again."}', event] : [event];
        },
    },
  ),
];
