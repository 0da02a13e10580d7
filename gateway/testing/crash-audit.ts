import { parseArgs } from 'node:util';
import { phases } from './crash/aim.ts';
import { faultsOf, tableOf } from './crash/audit-report.ts';
import { runAudit } from './crash/run-audit.ts';
import { server, storeKinds } from './store/test-stores.ts';

// `node gateway/testing/crash-audit.ts --kills 200 --store embedded`: kills gateways under load, then checks from outside for
// anything lost, duplicated, mispriced or left over. Exits with 1 if it finds any.

const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '200' },
    vanish: { type: 'string', default: '0' },
    stops: { type: 'string', default: '0' },
    partitions: { type: 'string', default: '0' },
    outages: { type: 'string', default: '0' },
    slow: { type: 'string', default: '0' },
    tasks: { type: 'string', default: '1000' },
    store: { type: 'string', default: 'embedded' },
    processes: { type: 'string', default: '1' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    minutes: { type: 'string', default: '600' },
    'recovery-ms': { type: 'string', default: '5000' },
  },
});

function refuse(message: string): never {
  process.stderr.write(`${message}\n`);
  process.exit(2);
}

function wholeOf(name: Exclude<keyof typeof values, 'store'>): number {
  const text = values[name];
  return /^\d{1,9}$/.test(text) ? Number(text) : refuse(`--${name} is a whole number.`);
}

const [kills, tasks, processes] = [wholeOf('kills'), wholeOf('tasks'), wholeOf('processes')];
const [seed, mostRecoveryMs] = [wholeOf('seed'), wholeOf('recovery-ms')];
const untilMs = Date.now() + wholeOf('minutes') * 60_000;
const isEmbedded = values.store === 'embedded';
if (!isEmbedded && values.store !== 'postgres') refuse('--store is embedded or postgres.');
if (isEmbedded && processes !== 1) refuse('An embedded store belongs to one process.');
if (!isEmbedded && server.isMissing)
  refuse(
    'GATECHECK_TEST_DATABASE_URL names no server: .ci/postgres run node gateway/testing/crash-audit.ts …',
  );
const halts = {
  vanish: wholeOf('vanish'),
  stop: wholeOf('stops'),
  'partition there': Math.ceil(wholeOf('partitions') / 2),
  'partition back': Math.floor(wholeOf('partitions') / 2),
  outage: Math.ceil(wholeOf('outages') / 2),
  'kill in an outage': Math.floor(wholeOf('outages') / 2),
  'slow server': wholeOf('slow'),
};
if (processes < 2 && Object.values(halts).some((count) => count > 0))
  refuse('What halts a process needs others that take over: --processes 2 --store postgres.');
if (kills < phases.length) refuse(`--kills is at least ${phases.length}: one for each phase.`);

const fresh = isEmbedded ? storeKinds[0]?.fresh : server.fresh;
if (fresh === undefined) refuse('There is no store.');
const { place, remove } = await fresh();
try {
  const result = await runAudit({
    ...{ place, kills, halts, tasks, processes, seed, untilMs },
    onShot: ({ kill, aim, n }, recovery) => {
      const whose = n === null ? '' : ` of number ${n}`;
      process.stderr.write(`kill ${kill} ${aim}${whose}, back in ${Math.round(recovery?.tookMs ?? 0)} ms\n`);
    },
  });
  const faults = faultsOf(result, { seed, mostRecoveryMs });
  const told = [`store ${values.store}, processes ${processes}, seed ${seed}`, tableOf(result), ...faults];
  process.stdout.write(`${told.join('\n')}\n${faults.length} violations\n`);
  process.exitCode = faults.length === 0 ? 0 : 1;
} finally {
  await remove();
}
