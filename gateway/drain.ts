import type { App } from './app.ts';

const drainMs = 30_000;
const drainCheckMs = 50;

/**
 * Reports to load balancers that the process is leaving, and keeps serving meanwhile. Then stops accepting connections, gives
 * requests in flight 30 s to end, and closes the remaining connections. Resolves when every exchange has been handled,
 * including those of disconnected clients. Only then may their resources be closed.
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
  // Calls whose callers left get no more time than other requests.
  abandoned.close();
  if (!isClosed) {
    const closed = new Promise((resolve) => server.once('close', resolve));
    server.closeAllConnections();
    await closed;
  }
  await running.idle();
}
