import type { NativeAnswer } from '../../answers/native-answer.ts';
import type { Fault, JobFault } from '../../fault-contract/fault.ts';
import type { JsonObject } from '../native/answer-json.ts';
import { ofForm } from '../native/refusal.ts';
import { pollByPoll } from './by-polls.ts';
import { editJob, without } from './native.ts';

/** The job succeeds without anything to download. */
export const successNoUrl: Fault = {
  id: 'J7',
  kind: 'job',
  plan: (context): JobFault => ofForm(context, plans),
};

const plans: Readonly<Record<string, JobFault>> = {
  null: { show: pollByPoll('running', { stage: 'success', outputs: null }) },
  empty: { show: pollByPoll('running', { stage: 'success', outputs: [] }) },
  'no-url': { show: pollByPoll('running', 'success'), poll: withoutUrls },
  late: { show: pollByPoll('running', { stage: 'success', outputs: null }, 'success') },
};

function withoutUrls(given: NativeAnswer): NativeAnswer {
  const member = given.dialect === 'callback-jobs' ? 'results' : 'output';
  return editJob(given, (job) => {
    const list = job[member];
    return Array.isArray(list)
      ? { ...job, [member]: list.map((one: JsonObject) => without(one, 'url')) }
      : job;
  });
}
