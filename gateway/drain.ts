import type { App } from './app.ts';

const drainMs = 30_000;
const drainCheckMs = 50;

/**
 * Tells load balancers that the process leaves, and serves on meanwhile. Then it stops accepting connections, lets requests in flight end for a while, then closes the remaining connections.
 *
 * Resolves when every exchange has been handled to its end, including those of disconnected clients. Only then may
 * the resources that they use be closed.
 */
export async function drain({ server, clock, running, readiness, abandoned }: App): Promise<void> {
  await readiness.leave();
  let isClosed = false;
  server.close(() => {
    isClosed = true;
  });
  const until = clock.monotonic() + drainMs;
  while (!isClosed && clock.monotonic() < until) {
    server.closeIdleConnections();
    await clock.sleep(drainCheckMs);
  }
  // What callers left behind has no more time than they had.
  abandoned.close();
  if (!isClosed) {
    const closed = new Promise((resolve) => server.once('close', resolve));
    server.closeAllConnections();
    await closed;
  }
  await running.idle();
}
