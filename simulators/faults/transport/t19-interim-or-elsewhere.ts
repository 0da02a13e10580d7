import { headBytes, standardSteps } from '../../answers/wire-form.ts';
import type { Step } from '../../answers/wire-program.ts';
import type { Fault, FaultContext } from '../../fault-contract/fault.ts';

/**
 * Statuses that are not final answers: a redirect to another host, which must not get the key; an unrequested
 * change of protocol; and interim statuses, which the answer follows.
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

/**
 * Redirects to the same upstream under another host name. The journal shows a client that follows, and any key it
 * sends.
 */
function redirect({ host, target, headers }: FaultContext): Step[] {
  const port = /:\d+$/.exec(host)?.[0] ?? '';
  const location = `http://localhost${port}${target}`;
  const sent = { ...headers, location, connection: 'close', 'content-length': '0' };
  return [{ do: 'write', label: 'head', bytes: headBytes(307, sent), dueMs: 0 }];
}
