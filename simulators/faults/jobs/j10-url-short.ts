import type { NativeAnswer } from '../../answers/native-answer.ts';
import { headBytes, headStep, wireHeaders } from '../../answers/wire-form.ts';
import type { Step, WireEnd } from '../../answers/wire-program.ts';
import type { AlteredAnswer, Fault, FileRead, JobFault } from '../../fault-contract/fault.ts';
import { htmlPage, ofForm } from '../native/refusal.ts';

/** A download of the job's file ends early. */
export const urlShort: Fault = {
  id: 'J10',
  kind: 'job',
  plan: (context): JobFault => ({ file: ofForm(context, files) }),
};

const files: Readonly<Record<string, NonNullable<JobFault['file']>>> = {
  short: halfEndingBy('fin'),
  reset: halfEndingBy('rst'),
  'first-short': atFirst(halfEndingBy('fin')),
  html: ({ dialect }) => htmlPage(dialect, 200, 'Your download will start shortly'),
  'first-stall': atFirst(halfEndingBy('silence')),
};

type Reading = (given: NativeAnswer, observation: FileRead) => AlteredAnswer;

/** Changes only the first read of each file. */
function atFirst(reading: Reading): Reading {
  return (given, observation) => (observation.nth === 1 ? reading(given, observation) : given);
}

/** Half of the announced length, then FIN. */
function halfEndingBy(by: WireEnd): Reading {
  return (given) => ({ steps: halfSteps(given, by) });
}

function halfSteps(given: NativeAnswer, by: WireEnd): Step[] {
  const whole = Buffer.concat(given.frames.map(({ bytes }) => bytes));
  const half = whole.subarray(0, Math.floor(whole.length / 2));
  return [
    headStep(given, headBytes(given.status, wireHeaders(given))),
    { do: 'write', label: 'body', bytes: half, dueMs: 0 },
    { do: 'end', by },
  ];
}
