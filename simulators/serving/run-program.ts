import type { Step } from '../answers/wire-program.ts';
import type { Exchange } from './exchange.ts';

/** Writes after which the process may turn to others, also when the connection takes everything at once. */
const maxWritesInARow = 256;

/**
 * Runs an exact program over the connection, past HTTP. It may be endless: it takes no more steps than the client
 * takes bytes, and stops when the client leaves or the tenant is reset. Without an ending of its own it ends by FIN.
 */
export async function runProgram(exchange: Exchange, steps: Iterable<Step>, startMs: number): Promise<void> {
  let writes = 0;
  for (const step of steps) {
    switch (step.do) {
      case 'write':
        await exchange.sleepUntil(startMs + step.dueMs);
        await exchange.sendWire(step.label, step.bytes, startMs + step.dueMs);
        writes += 1;
        if (writes % maxWritesInARow === 0) await exchange.pause();
        break;
      case 'wait':
        await exchange.sleepUntil(startMs + step.untilMs);
        break;
      case 'end':
        await exchange.cut(step.by);
    }
  }
  exchange.closeWire();
}
