import type { Step } from '../answers/wire-program.ts';
import type { Exchange } from './exchange.ts';

/**
 * After so many writes in a row the event loop may run other work, even if the socket accepts everything at once.
 */
const maxWritesInARow = 256;

/**
 * Runs a program of raw writes over the connection, bypassing the HTTP layer. It may be endless: it advances only
 * as fast as the client reads. It stops when the client disconnects or the tenant is reset. Without an explicit
 * end it ends with FIN.
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
