import type { ScriptedJob } from '../../control/job-shapes.ts';
import type { Fault, JobFault } from '../../fault-contract/fault.ts';
import { ofForm } from '../native/refusal.ts';
import { markFaulted, needsCallback } from './edit-callback.ts';

/** The first callback is sent and answered before the answer to the submit, which contains the job's id. */
export const early: Fault = {
  id: 'W3',
  kind: 'job',
  needs: needsCallback,
  plan: (context): JobFault => {
    const life = ofForm(context, lives);
    const reported = Promise.withResolvers<void>();
    return {
      life,
      submit: (answer) => ({ after: reported.promise, answer }),
      report: (given, observation) =>
        observation.nth === 1 ? [{ ...markFaulted(given, observation), onTried: reported.resolve }] : [given],
    };
  },
};

const lives: Readonly<Record<string, ScriptedJob>> = {
  complete: { queued_ms: 0, running_ms: 0 },
  text: { queued_ms: 0, running_ms: 60 },
  failed: {
    queued_ms: 0,
    running_ms: 0,
    end: 'failed',
    error: { code: 'internal_error', message: 'generation failed' },
  },
};
