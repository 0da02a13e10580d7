import type { Fault, FaultContext, JobFault } from '../../fault-contract/fault.ts';
import { parseJson, valueAt } from '../../json/json-body.ts';

/** The length in seconds when the submit names none. */
const usualSeconds = 8;

const pictureTasks: readonly string[] = ['imagine', 'upscale', 'variation', 'reroll', 'cover-img'];

/** The output is half, or twice, as long as requested. */
export const durationMismatch: Fault = {
  id: 'J15',
  kind: 'job',
  needs: (context) => {
    if (pictureTasks.includes(String(valueAt(parseJson(context.request), ['task']))))
      return 'a job with a duration';
    const isTooShort = context.form !== 'longer' && secondsAskedFor(context) < 2;
    return isTooShort ? 'a request for two seconds or more' : null;
  },
  plan: (context): JobFault => {
    const asked = secondsAskedFor(context);
    const seconds = context.form === 'longer' ? asked * 2 : Math.max(1, Math.floor(asked / 2));
    return { life: { duration_s: seconds } };
  },
};

function secondsAskedFor({ request }: FaultContext): number {
  const body = parseJson(request);
  const seconds = valueAt(body, ['input', 'seconds']) ?? valueAt(body, ['params', 'durationSec']);
  return typeof seconds === 'number' ? seconds : usualSeconds;
}
