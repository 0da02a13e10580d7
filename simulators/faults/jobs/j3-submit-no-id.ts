import type { NativeAnswer } from '../../answers/native-answer.ts';
import type { Fault } from '../../fault-contract/fault.ts';
import type { JsonObject } from '../native/answer-json.ts';
import { ofForm } from '../native/refusal.ts';
import { editJob, without } from './native.ts';

/** The job is created, and the answer leaves out its id. */
export const submitNoId: Fault = {
  id: 'J3',
  kind: 'edit',
  answer: (given, context): NativeAnswer => ofForm(context, answers)(given),
};

const answers: Readonly<Record<string, (given: NativeAnswer) => NativeAnswer>> = {
  absent: (given) => editJob(given, (job) => without(job, idOf(given))),
  null: (given) => editJob(given, (job): JsonObject => ({ ...job, [idOf(given)]: null })),
  empty: (given) => editJob(given, (job): JsonObject => ({ ...job, [idOf(given)]: '' })),
  'no-body': (given) => ({ ...given, frames: [{ label: 'body', bytes: Buffer.alloc(0), dueMs: 0 }] }),
};

function idOf({ dialect }: NativeAnswer): string {
  return dialect === 'callback-jobs' ? 'taskId' : 'id';
}
