import type { Step } from '../../answers/wire-program.ts';
import type { Fault, FaultContext } from '../../fault-contract/fault.ts';

const everyMs = 60_000;

/** A status line, then one header per minute, without end. */
export const headDribble: Fault = { id: 'T13', kind: 'hijack', steps: headSteps };

function* headSteps({ headers, waitMs }: FaultContext): Generator<Step> {
  yield line('HTTP/1.1 200 OK', 0);
  const gapMs = waitMs ?? everyMs;
  let minute = 0;
  for (const [name, value] of Object.entries(headers)) {
    minute += 1;
    yield line(`${name}: ${value}`, minute * gapMs);
  }
  while (true) {
    minute += 1;
    yield line(`x-minute-${minute}: still at it`, minute * gapMs);
  }
}

function line(text: string, dueMs: number): Step {
  return { do: 'write', label: 'head', bytes: Buffer.from(`${text}\r\n`), dueMs };
}
