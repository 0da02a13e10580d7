import type { Body } from '../../../suites/rewrite/json.ts';
import {
  answersB,
  candidateOf,
  chunksB,
  countsOf,
  failuresB,
  frontB,
  partsOf,
  plainB,
} from '../../edits/compat-b-edits.ts';
import type { Mutant } from '../../edits/mutant.ts';

/** Gateways whose answers differ from the generate-content protocol or from their upstream. */

const form = 'COMPB-010';

/** A change to every answer, plain and streamed. */
function answer(id: string, title: string, aspect: string, edit: (part: Body) => void): Mutant {
  return frontB([`compb.${id}`, title, form, aspect], answersB(edit));
}

function recount(change: (counts: Record<string, number>) => Record<string, number>): (part: Body) => void {
  return (part) => {
    const counts = countsOf(part);
    if (counts === null) return;
    Object.assign(counts, change(counts));
    const { promptTokenCount = 0, candidatesTokenCount = 0, thoughtsTokenCount = 0 } = counts;
    counts.totalTokenCount = promptTokenCount + candidatesTokenCount + thoughtsTokenCount;
  };
}

export const forms: readonly Mutant[] = [
  frontB(['compb.status-202', 'an answer comes with status 202', form, 'success-status'], {
    answer: (answer) => (answer.status === 200 ? { ...answer, status: 202 } : answer),
  }),
  answer('core-words', 'answers have the members of the core path', 'shape', (part) => {
    part.choices = part.candidates;
    delete part.candidates;
    delete part.usageMetadata;
  }),
  answer('no-finish', 'no answer says why it ended', 'finish-reason', (part) => {
    delete candidateOf(part).finishReason;
  }),
  answer('no-usage', 'usageMetadata is left out', 'usage', (part) => {
    delete part.usageMetadata;
  }),
  answer('native-model-named', 'modelVersion is the name that the upstream has', 'model-public', (part) => {
    part.modelVersion = 'g3p-2026-09';
  }),
  answer('one-id-for-all', 'every answer has the same id', 'id-fresh', (part) => {
    part.responseId = 'gen-1';
  }),
  frontB(
    ['compb.ids-by-event', 'each event of a stream has its own id', form, 'one-id'],
    chunksB((chunk, index) => {
      chunk.responseId = `gen-${index}`;
      return undefined;
    }),
  ),
  frontB(['compb.end-marker', 'a stream ends in [DONE]', form, 'utf8-json'], {
    events: () => (event) => (event === null ? ['data: [DONE]'] : [event]),
  }),
  frontB(['compb.stream-as-json', 'a stream is called JSON', form, 'stream-content-type'], {
    streamHead: (head) => ({ ...head, headers: [['content-type', 'application/json']] }),
  }),
  frontB(
    ['compb.finish-in-every-event', 'every event says that it is the last', form, 'finish-last'],
    chunksB((chunk) => {
      candidateOf(chunk).finishReason ??= 'STOP';
      return undefined;
    }),
  ),
  frontB(['compb.stream-kept', 'a stream is kept until its end', form, 'piece-by-piece'], { withhold: true }),
  frontB(
    ['compb.said-nothing', 'answers have no text', 'COMPB-001', 'answers-with-text'],
    answersB((part) => {
      for (const one of partsOf(part)) if (one.text !== undefined) one.text = '';
    }),
  ),
];

export const texts: readonly Mutant[] = [
  frontB(
    ['compb.first-part-only', 'of the parts of an answer the first is passed on', form, 'text-as-said'],
    plainB((body) => {
      const { content } = candidateOf(body);
      if (content !== undefined) (content as Body).parts = partsOf(body).slice(0, 1);
    }),
  ),
  answer('thought-said', 'thoughts look like what was said', 'thoughts-apart', (part) => {
    for (const one of partsOf(part)) delete one.thought;
  }),
  answer('text-signature-lost', 'signatures of texts are lost', 'signature-kept', (part) => {
    for (const one of partsOf(part)) if (one.text !== undefined) delete one.thoughtSignature;
  }),
];

export const orders: readonly Mutant[] = [
  frontB(
    ['compb.plain-calls-last', 'calls of an answer come behind all its texts', form, 'parts-in-order'],
    plainB((body) => {
      const { content } = candidateOf(body);
      if (content === undefined) return;
      const isCall = (part: Body): boolean => part.functionCall !== undefined;
      (content as Body).parts = partsOf(body).toSorted((a, b) => Number(isCall(a)) - Number(isCall(b)));
    }),
  ),
];

export const ends: readonly Mutant[] = [
  answer('always-stop', 'every answer ends in STOP', 'finish-as-said', (part) => {
    const candidate = candidateOf(part);
    if (candidate.finishReason === 'MAX_TOKENS') candidate.finishReason = 'STOP';
  }),
];

export const counts: readonly Mutant[] = [
  answer(
    'thoughts-in-candidates',
    'thoughts count as said',
    'usage-verbatim',
    recount(({ candidatesTokenCount = 0, thoughtsTokenCount = 0 }) => ({
      candidatesTokenCount: candidatesTokenCount + thoughtsTokenCount,
      thoughtsTokenCount: 0,
    })),
  ),
  answer('total-off', 'totalTokenCount is one too many', 'total-is-sum', (part) => {
    const usage = countsOf(part);
    if (usage !== null) usage.totalTokenCount = (usage.totalTokenCount ?? 0) + 1;
  }),
];

const goodEnd = {
  candidates: [{ content: { role: 'model', parts: [{ text: '' }] }, finishReason: 'STOP', index: 0 }],
  usageMetadata: { promptTokenCount: 9, candidatesTokenCount: 9, totalTokenCount: 18 },
};
const moreText = { candidates: [{ content: { role: 'model', parts: [{ text: 'and on' }] }, index: 0 }] };
const eventOf = (body: object): string => `data: ${JSON.stringify(body)}`;
const blame = { type: 'auth_error', code: 'invalid_api_key', message: 'No.', channel: null, param: null };

/** Gateways that hide, soften or repeat a failure inside a stream. */
export const failures: readonly Mutant[] = [
  failure('failure-hidden', 'a stream that breaks just ends', 'failure-visible', () => []),
  failure('failure-as-stop', 'a stream that breaks ends in STOP', 'no-false-ending', () => [
    eventOf(goodEnd),
  ]),
  failure(
    'failure-then-end',
    'a stream that breaks ends regularly after its error',
    'nothing-after-error',
    (event) => [event, eventOf(goodEnd)],
  ),
  failure('failure-run-again', 'what breaks is run again from its start', 'no-rerun', (event) => [
    eventOf(moreText),
    event,
  ]),
  failure('failure-native', 'the error event is one of the upstream', 'error-event-shape', () => [
    eventOf({ error: { code: 500, message: 'It broke.', status: 'INTERNAL' } }),
  ]),
  failure('failure-blames-caller', 'the error event blames the caller', 'error-event-type', () => [
    eventOf({ error: blame }),
  ]),
];

function failure(
  id: string,
  title: string,
  aspect: string,
  edit: (event: string) => readonly string[],
): Mutant {
  return frontB([`compb.${id}`, title, 'COMPB-011', aspect], failuresB(edit));
}
