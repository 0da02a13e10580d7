import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { compareDrills, renderDrillComparison } from 'gatecheck-reports/drill/drill-comparison';
import type { DrillReport } from 'gatecheck-reports/drill/drill-report';
import { renderDrill } from 'gatecheck-reports/drill/page';
import { drillReportOf } from '../drill/drill-report-of.ts';
import { readDrillScenario } from '../drill/drill-scenario.ts';
import { runDrill } from '../drill/run-drill.ts';
import { type ExitCode, exitCodes, UsageError } from '../process/exit-codes.ts';
import { readJson } from '../process/read-file.ts';
import { startStack } from '../stack/stack.ts';
import { catchInterrupts } from './interrupt.ts';
import { openFolder } from './output-places.ts';
import { reachTarget } from './reach-target.ts';
import { versions } from './version.ts';

export interface DrillOptions {
  readonly target?: string;
  readonly rate: number;
  readonly minutes?: number;
  readonly speed: number;
  readonly seed: number;
  readonly out: string;
}

/** `gatecheck drill`: load during a scenario, its effect on callers, and thresholds as a gate. */
export async function drillCommand(
  scenarioName: string | undefined,
  options: DrillOptions,
): Promise<ExitCode> {
  if (scenarioName === undefined)
    throw new UsageError(
      'drill needs a scenario: a YAML file, or a name of fixtures/scenarios such as b1-brownout',
    );
  const scenario = readDrillScenario(scenarioName);
  openFolder(options.out);
  const interrupts = catchInterrupts();
  const say = (text: string): void => void process.stderr.write(`${text}\n`);
  const { profile, stop } = await deployment(options, interrupts.signal);
  try {
    const startedAt = new Date();
    const run = {
      ...{ scenario, profile, say, seed: options.seed, rate: options.rate, speed: options.speed },
      forMs: options.minutes === undefined ? scenario.drill.for_s * 1_000 : options.minutes * 60_000,
      run: randomBytes(4).toString('hex'),
      signal: interrupts.signal,
    };
    const outcome = await runDrill(run);
    const command = commandOf(scenarioName, options);
    const facts = { run, outcome, command, startedAt, endedAt: new Date(), versions: { ...versions() } };
    const report = drillReportOf(facts);
    write(report, options.out);
    return report.exit_code as ExitCode;
  } finally {
    await stop();
    interrupts.release();
  }
}

/** The deployment of the profile, or the embedded stack, whose clock can be moved where it shall be. */
async function deployment(options: DrillOptions, signal: AbortSignal): ReturnType<typeof reachTarget> {
  if (options.target !== undefined) return reachTarget(options, options.seed);
  process.stderr.write('Starting the embedded reference stack …\n');
  const stack = await startStack({ seed: options.seed, tenants: 1, clock: options.speed > 1, signal });
  return { profile: stack.profile, stop: () => stack.stop() };
}

function commandOf(scenario: string, { target, rate, minutes, speed, seed }: DrillOptions): string {
  const flags = [
    ...(target === undefined ? [] : [`--target ${target}`]),
    `--rate ${rate}`,
    ...(minutes === undefined ? [] : [`--minutes ${minutes}`]),
    ...(speed === 1 ? [] : [`--speed ${speed}`]),
    `--seed ${seed}`,
  ];
  return `npx gatecheck drill ${scenario} ${flags.join(' ')}`;
}

function write(report: DrillReport, folder: string): void {
  writeFileSync(join(folder, 'drill.json'), `${JSON.stringify(report, null, 2)}\n`);
  writeFileSync(join(folder, 'drill.html'), renderDrill(report));
  const rows = report.thresholds.map(
    ({ text, holds, seen }) =>
      `  ${holds === null ? 'not measured' : holds ? 'holds' : 'FAILS'}  ${text}  (${seen})`,
  );
  process.stdout.write(`${report.headline}\n${rows.join('\n')}\nPage: ${join(folder, 'drill.html')}\n`);
}

/** `gatecheck drill diff OLD NEW`: the numbers of two drills. Exits with 1 when a threshold newly fails. */
export async function drillDiffCommand(
  oldFile: string,
  newFile: string,
  options: { json: boolean },
): Promise<ExitCode> {
  const comparison = compareDrills(readDrill(oldFile), readDrill(newFile));
  process.stdout.write(
    options.json ? `${JSON.stringify(comparison, null, 2)}\n` : renderDrillComparison(comparison),
  );
  return comparison.worse.length > 0 ? exitCodes.failures : exitCodes.conforming;
}

function readDrill(file: string): DrillReport {
  let report: Partial<DrillReport> | null = null;
  try {
    report = readJson(file) as Partial<DrillReport> | null;
  } catch {
    // Reported below.
  }
  if (report?.kind !== 'drill') throw new UsageError(`${file} is not the drill.json of a drill`);
  if (report.schema !== 1) throw new UsageError(`${file} is of another version of drill.json`);
  return report as DrillReport;
}
