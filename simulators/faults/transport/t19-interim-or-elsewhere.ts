import { headBytes, standardSteps } from '../../answers/wire-form.ts';
import type { Step } from '../../answers/wire-program.ts';
import type { Fault, FaultContext } from '../../fault-contract/fault.ts';

/**
 * Statuses that are no answer: a redirect to another host, which must not get the key; a change of protocol that
 * nobody asked for; and interim ones, which the answer follows.
 */
export const interimOrElsewhere: Fault = {
  id: 'T19',
  kind: 'wire',
  steps: (given, context) => {
    switch (context.form) {
      case 'early-hints':
        return [interim(headBytes(103, { link: '</style.css>; rel=preload' })), ...standardSteps(given)];
      case 'continue':
        return [interim(headBytes(100, {})), ...standardSteps(given)];
      case 'switch':
        return [
          interim(headBytes(101, { connection: 'upgrade', upgrade: 'websocket' })),
          { do: 'end', by: 'fin' },
        ];
      default:
        return redirect(context);
    }
  },
};

function interim(bytes: Buffer): Step {
  return { do: 'write', label: 'interim', bytes, dueMs: 0 };
}

/** To the same upstream by another name: who follows is seen in the journal, and would have shown its key. */
function redirect({ host, target, headers }: FaultContext): Step[] {
  const port = /:\d+$/.exec(host)?.[0] ?? '';
  const location = `http://localhost${port}${target}`;
  const told = { ...headers, location, connection: 'close', 'content-length': '0' };
  return [{ do: 'write', label: 'head', bytes: headBytes(307, told), dueMs: 0 }];
}
