import { parseArgs } from 'node:util';
import type { DrillReport } from 'gatecheck-reports/drill/drill-report';
import { inWords, type MeasureName } from 'gatecheck-reports/drill/measures';
import { type Stack, startStack } from '../../suites/stack/stack.ts';
import { patchFlags } from '../kill-matrix/patch.ts';
import { type BrokenGateway, brokenGateways, type Lack } from './broken-gateways.ts';
import { drillOnce } from './drill-once.ts';

// `node suites/drill/testing/drill-broken.ts [--only 'no retry'] [--rate 20] [--speed 1] [--seed 7]`: drills gateways that lack
// a breaker, a retry and the like, as long as their scenarios say. Exits with 1 when one fails other thresholds than it should.

const { values } = parseArgs({
  options: {
    only: { type: 'string', multiple: true },
    rate: { type: 'string', default: '20' },
    speed: { type: 'string', default: '1' },
    seed: { type: 'string', default: '7' },
  },
});
const all = Object.keys(brokenGateways) as Lack[];
const lacks = all.filter((lack) => values.only?.includes(lack) ?? true);
const [rate, speed, seed] = [Number(values.rate), Number(values.speed), Number(values.seed)];
if (lacks.length < (values.only?.length ?? 1) || ![rate, speed].every((value) => value > 0) || !(seed >= 0)) {
  process.stderr.write(`only is one of ${all.join(', ')}; rate, speed and seed are numbers.\n`);
  process.exit(2);
}

const shown = [
  'availability',
  'p99',
  'attempts',
  'most attempts',
  'open',
  'recovery',
  'lost events',
] as const;

const stack = await startStack({ seed, tenants: 1, moreGateways: true, clock: speed > 1 });
try {
  let faults = 0;
  for (const lack of lacks) if (!(await fails(stack, lack))) faults += 1;
  process.stdout.write(`${faults} of ${lacks.length} fail other thresholds than they should\n`);
  process.exitCode = faults === 0 ? 0 : 1;
} finally {
  await stack.stop();
}

/** Whether the gateway fails just what it should. */
async function fails({ addGateway }: Stack, lack: Lack): Promise<boolean> {
  const broken: BrokenGateway = brokenGateways[lack];
  const { nodeArgs, env } = patchFlags(broken.patch);
  const gateway = await addGateway(lack.replaceAll(' ', '-'), nodeArgs, env);
  try {
    const report = await drillOnce(gateway.profile, broken.scenario, { seed, rate, speed });
    const failing = report.thresholds.filter(({ holds }) => holds !== true);
    const isRight =
      failing
        .map(({ text }) => text)
        .toSorted()
        .join() === broken.fails.toSorted().join();
    const found = failing.map(
      ({ text, holds, seen }) => `${holds === null ? 'open: ' : ''}${text} (${seen})`,
    );
    process.stdout.write(
      `${isRight ? 'as it should' : 'OTHERWISE'}  ${lack}, ${broken.scenario}: ${found.join('; ') || 'nothing fails'}\n` +
        `    ${shown.map((name) => `${name} ${seenOf(report, name)}`).join(', ')}\n`,
    );
    return isRight;
  } finally {
    await gateway.stop();
  }
}

function seenOf({ measures }: DrillReport, name: MeasureName): string {
  const { value, why } = measures[name];
  return value === null ? `– (${why})` : inWords(name, value === 'never' ? Number.POSITIVE_INFINITY : value);
}
