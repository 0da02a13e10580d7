import type { Fault, JobFault } from '../../fault-contract/fault.ts';
import { pollByPoll } from './by-polls.ts';
import { unknownJob } from './native.ts';

/** How many questions are answered before the job is forgotten, where it is not at once. */
const knownFor = 2;

/** The upstream knows nothing of the job, or no more. */
export const poll404Forever: Fault = {
  id: 'J13',
  kind: 'job',
  plan: ({ form }): JobFault => ({
    show: pollByPoll('running'),
    poll: (given, { nth }) => (form === 'later' && nth <= knownFor ? given : unknownJob(given.dialect)),
  }),
};
