import {
  choiceOf,
  failingUpstream,
  inBoth,
  inChunks,
  inPlain,
  type Json,
  messageOf,
  refusing,
} from '../../../mutation/edits.ts';
import type { Mutant } from '../../../mutation/mutant.ts';

/** Plain answers with one thing wrong in head, shape or identity. */
export const respShapeMutants: readonly Mutant[] = [
  {
    id: 'resp.status-202',
    title: 'a completion comes with status 202',
    requirement: 'RESP-023',
    aspect: 'success-status',
    kind: 'front',
    mutation: { answer: (answer) => (answer.status === 200 ? { ...answer, status: 202 } : answer) },
  },
  {
    id: 'resp.text-plain',
    title: 'a completion is declared as text/plain',
    requirement: 'RESP-023',
    aspect: 'content-type',
    kind: 'front',
    mutation: {
      answer: (answer) => ({ ...answer, headers: [['content-type', 'text/plain; charset=utf-8']] }),
    },
  },
  {
    id: 'resp.stray-byte',
    title: 'a completion ends in a byte that is no UTF-8',
    requirement: 'RESP-023',
    aspect: 'utf8-json',
    kind: 'front',
    mutation: {
      answer: (answer) => ({ ...answer, body: Buffer.concat([answer.body, Buffer.from([0xff])]) }),
    },
  },
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
  shape('resp.content-missing', 'the message has neither content nor calls', 'RESP-008', (body) => {
    const { role } = messageOf(body);
    choiceOf(body).message = { role };
  }),
  shape('resp.native-finish', 'finish_reason is a native word', 'RESP-009', (body) => {
    if (choiceOf(body).finish_reason === 'stop') choiceOf(body).finish_reason = 'end_turn';
  }),
  shape('resp.finish-null', 'finish_reason is null', 'RESP-009', (body) => {
    choiceOf(body).finish_reason = null;
  }),
  {
    id: 'resp.index-from-one',
    title: 'choices are counted from 1',
    requirement: 'RESP-007',
    aspect: 'index-from-zero',
    kind: 'front',
    mutation: inPlain((body) => {
      choiceOf(body).index = 1;
    }),
  },
];

export const respIdentityMutants: readonly Mutant[] = [
  {
    id: 'resp.id-constant',
    title: 'every plain answer has the same id',
    requirement: 'RESP-001',
    aspect: 'distinct-ids',
    kind: 'front',
    mutation: inPlain((body) => Object.assign(body, { id: 'chatcmpl-1' })),
  },
  {
    id: 'resp.id-by-second',
    title: 'ids are made of the time in seconds',
    requirement: 'RESP-001',
    aspect: 'distinct-ids',
    kind: 'front',
    mutation: inPlain((body) => Object.assign(body, { id: `chatcmpl-${body.created}` })),
  },
  {
    id: 'resp.refuses-repeats',
    title: 'a request that came before is refused',
    requirement: 'RESP-001',
    aspect: 'accepts-again',
    kind: 'front',
    mutation: refusingRepeats(),
  },
  {
    id: 'resp.created-ms',
    title: 'created is in milliseconds',
    requirement: 'RESP-003',
    aspect: 'created-now',
    kind: 'front',
    mutation: inBoth((part) => Object.assign(part, { created: Number(part.created) * 1000 })),
  },
  {
    id: 'resp.created-constant',
    title: 'created is the time at which the gateway was built',
    requirement: 'RESP-003',
    aspect: 'created-now',
    kind: 'front',
    mutation: inBoth((part) => Object.assign(part, { created: 1_767_225_600 })),
  },
  {
    id: 'resp.mistrusts-upstream-clock',
    title: 'an answer whose upstream has a wrong clock is thrown away',
    requirement: 'RESP-003',
    aspect: 'accepts-any-upstream-clock',
    kind: 'upstream',
    mutation: failingUpstream((body) => Number(body.created) < 1_600_000_000),
  },
  {
    id: 'resp.model-dated',
    title: 'the model is named with the date of its build',
    requirement: 'RESP-004',
    aspect: 'served-model',
    kind: 'front',
    mutation: inBoth((part) => Object.assign(part, { model: `${part.model}-2026-08-07` })),
  },
  {
    id: 'resp.model-upper-case',
    title: 'the model is not in the spelling of the catalogue',
    requirement: 'RESP-004',
    aspect: 'served-model',
    kind: 'front',
    mutation: inPlain((body) => Object.assign(body, { model: String(body.model).toUpperCase() })),
  },
  {
    id: 'resp.model-missing-in-stream',
    title: 'chunks do not name the model',
    requirement: 'RESP-004',
    aspect: 'chunk-shape',
    kind: 'front',
    mutation: inChunks((chunk) => void delete chunk.model),
  },
  {
    id: 'resp.created-missing-in-stream',
    title: 'chunks have no created',
    requirement: 'RESP-003',
    aspect: 'chunk-shape',
    kind: 'front',
    mutation: inChunks((chunk) => void delete chunk.created),
  },
];

/** A plain answer of another shape. */
export function shape(id: string, title: string, requirement: string, edit: (body: Json) => void): Mutant {
  return { id, title, requirement, aspect: 'shape', kind: 'front', mutation: inPlain(edit) };
}

function refusingRepeats(): ReturnType<typeof refusing> {
  const seen = new Set<string>();
  return refusing((body) => {
    const text = JSON.stringify(body);
    const known = seen.has(text);
    seen.add(text);
    return known;
  });
}
