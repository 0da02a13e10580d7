import type { App } from './app.ts';

const drainMs = 30_000;
const drainCheckMs = 50;

/**
 * Stops accepting, lets requests under way end for a while, then cuts what is left. Resolves when every exchange has been
 * dealt with to its end, those of cut and of departed clients included: whatever they need may go only then.
 */
export async function drain({ server, clock, running }: App): Promise<void> {
  let isClosed = false;
  server.close(() => {
    isClosed = true;
  });
  const until = clock.now() + drainMs;
  while (!isClosed && clock.now() < until) {
    server.closeIdleConnections();
    await clock.sleep(drainCheckMs);
  }
  if (!isClosed) {
    const closed = new Promise((resolve) => server.once('close', resolve));
    server.closeAllConnections();
    await closed;
  }
  await running.idle();
}
