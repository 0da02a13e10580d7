import type { DrillReport } from 'gatecheck-reports/drill/drill-report';
import { drillReportOf } from '../../suites/drill/drill-report-of.ts';
import { readDrillScenario } from '../../suites/drill/drill-scenario.ts';
import { runDrill } from '../../suites/drill/run-drill.ts';
import type { Profile } from '../../suites/profile/profile.ts';

export interface DrillOnce {
  readonly seed: number;
  readonly rate: number;
  readonly speed: number;
  /** As long as the scenario says, if left out. */
  readonly seconds?: number;
  readonly say?: (text: string) => void;
}

let drills = 0;

/** One drill of a deployment. */
export async function drillOnce(profile: Profile, name: string, options: DrillOnce): Promise<DrillReport> {
  drills += 1;
  const scenario = readDrillScenario(name);
  const { seed, rate, speed, seconds = scenario.drill.for_s, say = () => undefined } = options;
  const run = {
    ...{ scenario, profile, seed, rate, speed, forMs: seconds * 1_000, say },
    ...{ run: `test${drills}`, signal: new AbortController().signal },
  };
  const startedAt = new Date();
  const outcome = await runDrill(run);
  const command = 'npx gatecheck drill';
  return drillReportOf({ run, outcome, command, startedAt, endedAt: new Date(), versions: {} });
}
