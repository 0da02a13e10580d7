import { parseArgs } from 'node:util';
import { startOwnServer } from './failover/own-server.ts';
import { runRollout } from './failover/run-rollout.ts';

// `node gateway/testing/rollout.ts`: restarts the gateways behind a load balancer one after another under load, and reports
// the effect on callers. Exits with 1 if an answer was lost or cut, or an unanswered call was charged. Also fails if too many
// calls must be retried: they were rejected, or met a connection that was being closed.

const { values } = parseArgs({
  options: {
    processes: { type: 'string', default: '2' },
    callers: { type: 'string', default: '75' },
    'calm-seconds': { type: 'string', default: '5' },
    'retried-percent': { type: 'string', default: '1' },
  },
});

const server = await startOwnServer();
try {
  const { answered, retryable, leftAfterMs, violations } = await runRollout({
    url: server.url,
    processes: Number(values.processes),
    callers: Number(values.callers),
    calmMs: Number(values['calm-seconds']) * 1_000,
  });
  const again = Object.values(retryable).reduce((sum, count) => sum + count, 0);
  process.stdout.write(`answered ${answered}, to be made again ${again} ${JSON.stringify(retryable)}\n`);
  process.stdout.write(`processes left after ${leftAfterMs.join(', ')} ms\n`);
  for (const violation of new Set(violations)) process.stdout.write(`${violation}\n`);
  process.stdout.write(`${violations.length} violations\n`);
  process.exitCode =
    violations.length === 0 && again * 100 <= answered * Number(values['retried-percent']) ? 0 : 1;
} finally {
  await server.remove();
}
