import type { Body } from '../../../suites/rewrite/json.ts';
import {
  choiceOf,
  failingUpstream,
  inBoth,
  inChunks,
  inPlain,
  messageOf,
  refuses,
} from '../../edits/chat-edits.ts';
import type { Mutant } from '../../edits/mutant.ts';
import { front, upstream } from '../../edits/mutant.ts';

/** Plain answers with one defect in headers, shape or identity. */
export const respShapeMutants: readonly Mutant[] = [
  front(['resp.status-202', 'a completion comes with status 202', 'RESP-023', 'success-status'], {
    answer: (answer) => (answer.status === 200 ? { ...answer, status: 202 } : answer),
  }),
  front(['resp.text-plain', 'a completion is declared as text/plain', 'RESP-023', 'content-type'], {
    answer: (answer) => ({ ...answer, headers: [['content-type', 'text/plain; charset=utf-8']] }),
  }),
  front(['resp.stray-byte', 'a completion ends in a byte that is not UTF-8', 'RESP-023', 'utf8-json'], {
    answer: (answer) => ({ ...answer, body: Buffer.concat([answer.body, Buffer.from([0xff])]) }),
  }),
  shape('resp.id-empty', 'the id is empty', 'RESP-001', (body) => Object.assign(body, { id: '' })),
  shape('resp.object-of-chunk', 'object is that of a chunk', 'RESP-002', (body) =>
    Object.assign(body, { object: 'chat.completion.chunk' }),
  ),
  shape('resp.created-text', 'created is a text', 'RESP-003', (body) =>
    Object.assign(body, { created: new Date().toISOString() }),
  ),
  shape('resp.model-missing', 'the model is left out', 'RESP-004', (body) => delete body.model),
  shape('resp.no-choices', 'choices is empty', 'RESP-006', (body) => Object.assign(body, { choices: [] })),
  shape('resp.index-missing', 'a choice has no index', 'RESP-007', (body) => delete choiceOf(body).index),
  shape('resp.role-missing', 'the message has no role', 'RESP-008', (body) => delete messageOf(body).role),
  shape('resp.native-finish', 'finish_reason is a native word', 'RESP-009', (body) => {
    if (choiceOf(body).finish_reason === 'stop') choiceOf(body).finish_reason = 'end_turn';
  }),
  front(
    ['resp.index-from-one', 'choices are counted from 1', 'RESP-007', 'index-from-zero'],
    inPlain((body) => {
      choiceOf(body).index = 1;
    }),
  ),
];

export const respIdentityMutants: readonly Mutant[] = [
  front(
    ['resp.id-constant', 'every plain answer has the same id', 'RESP-001', 'distinct-ids'],
    inPlain((body) => Object.assign(body, { id: 'chatcmpl-1' })),
  ),
  front(
    ['resp.id-of-text', 'ids are made of the text of the answer', 'RESP-001', 'upstream-ids'],
    inPlain((body) => Object.assign(body, { id: `chatcmpl-${JSON.stringify(body.choices)}` })),
  ),
  front(
    ['resp.stream-id-of-model', 'the streams of a model share one id', 'SSE-013', 'upstream-ids'],
    inChunks((chunk) => {
      chunk.id = `chatcmpl-${chunk.model}`;
      return undefined;
    }),
  ),
  front(
    ['resp.refuses-repeats', 'a request that came before is refused', 'RESP-001', 'accepts-again'],
    refusingRepeats(),
  ),
  front(
    ['resp.created-ms', 'created is in milliseconds', 'RESP-003', 'created-now'],
    inBoth((part) => Object.assign(part, { created: Number(part.created) * 1000 })),
  ),
  upstream(
    [
      'resp.mistrusts-upstream-clock',
      'an answer is dropped because the clock of its upstream is wrong',
      'RESP-003',
      'accepts-any-upstream-clock',
    ],
    failingUpstream((body) => Number(body.created) < 1_600_000_000),
  ),
  front(
    ['resp.model-dated', 'the model is named with the date of its build', 'RESP-004', 'served-model'],
    inBoth((part) => Object.assign(part, { model: `${part.model}-2026-08-07` })),
  ),
  front(
    ['resp.model-missing-in-stream', 'chunks do not name the model', 'RESP-004', 'chunk-shape'],
    inChunks((chunk) => void delete chunk.model),
  ),
  front(
    ['resp.created-missing-in-stream', 'chunks have no created', 'RESP-003', 'chunk-shape'],
    inChunks((chunk) => void delete chunk.created),
  ),
];

/** Changes a plain answer. */
export function shape(id: string, title: string, requirement: string, edit: (body: Body) => void): Mutant {
  return front([id, title, requirement, 'shape'], inPlain(edit));
}

function refusingRepeats(): ReturnType<typeof refuses> {
  const seen = new Set<string>();
  return refuses((body) => {
    const text = JSON.stringify(body);
    const known = seen.has(text);
    seen.add(text);
    return known;
  });
}
