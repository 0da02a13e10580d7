import { parseArgs } from 'node:util';
import { startOwnServer } from './failover/own-server.ts';
import { runFailover } from './failover/run-failover.ts';

// `node gateway/testing/failover.ts`: stops a PostgreSQL server under two gateways, makes it read-only, cuts and
// silences their connections, and reports the effect on callers. Exits with 1 if anything was lost, malformed, or late.

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '10' },
    processes: { type: 'string', default: '2' },
    callers: { type: 'string', default: '20' },
    'back-ms': { type: 'string', default: '2000' },
    'longest-ms': { type: 'string', default: '10000' },
  },
});

const server = await startOwnServer();
try {
  const { felt, longestMs, violations } = await runFailover({
    server,
    faults: ['stopped', 'read-only', 'connections cut', 'connections silent'],
    faultMs: Number(values.seconds) * 1_000,
    processes: Number(values.processes),
    callers: Number(values.callers),
  });
  const late = felt.filter(({ backAfterMs }) => backAfterMs > Number(values['back-ms']));
  const faults = [
    ...violations,
    ...late.map(({ fault }) => `not back in time after: ${fault}`),
    ...(longestMs > Number(values['longest-ms']) ? [`a call took ${longestMs} ms`] : []),
  ];
  for (const { fault, answered, refused, backAfterMs } of felt)
    process.stdout.write(
      `${fault.padEnd(18)} answered ${answered}, refused ${refused}, back after ${backAfterMs} ms\n`,
    );
  process.stdout.write(`longest call ${longestMs} ms\n`);
  const counts = Map.groupBy(faults, (fault) => fault);
  for (const [fault, times] of counts) process.stdout.write(`${fault} (${times.length} times)\n`);
  process.stdout.write(`${faults.length} violations\n`);
  process.exitCode = faults.length === 0 ? 0 : 1;
} finally {
  await server.remove();
}
