import { startTestGateway, testConfig } from '../test-gateway.ts';

// For tests only: a gateway in its own process, which reports how long it blocked its event loop.

const [upstreamUrl = ''] = process.argv.slice(2);
const gateway = await startTestGateway(
  testConfig(upstreamUrl, {
    limits: { body_bytes: 32 * 1024 * 1024 },
    upstream: { total_timeout_ms: 600_000 },
  }),
);

/** Processor time, because other processes may take any part of the real time. */
const usedMs = (): number => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
};
let longestMs = 0;
let before = usedMs();
const watch = (): void => {
  const now = usedMs();
  longestMs = Math.max(longestMs, now - before);
  before = now;
  setImmediate(watch);
};
setImmediate(watch);

process.on('message', () => {
  process.send?.({ longestMs });
  longestMs = 0;
});
process.on('disconnect', () => process.exit(0));
process.send?.({ url: gateway.url });
