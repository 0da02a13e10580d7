import type { Fault, JobFault } from '../../fault-contract/fault.ts';
import { pollByPoll } from './by-polls.ts';
import { unknownJob } from './native.ts';

/** How many polls are answered before the job is forgotten, unless the wait of the fault says for how long. */
const knownFor = 2;

/** The upstream answers polls with 404: from the start, or after a while. */
export const poll404Forever: Fault = {
  id: 'J13',
  kind: 'job',
  plan: ({ form }): JobFault => ({
    show: pollByPoll('running'),
    poll: (given, { nth, sinceMs, waitMs }) => {
      const isKnown = waitMs === null ? nth <= knownFor : sinceMs < waitMs;
      return form === 'later' && isKnown ? given : unknownJob(given.dialect);
    },
  }),
};
