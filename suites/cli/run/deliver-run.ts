import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { failuresOf } from 'gatecheck-reports/failures-of';
import type { Report, Waiver } from 'gatecheck-reports/report';
import { Document, visit } from 'yaml';
import { endpointIn } from '../../engine/place-of.ts';
import { type ExitCode, exitCodes } from '../../process/exit-codes.ts';
import { withHistory } from '../history.ts';
import { sayToRunner } from '../output.ts';
import { publish } from '../publish.ts';
import type { ReachedTarget } from '../reached-target.ts';
import type { RunOptions } from '../run-options.ts';
import { deliver, removeReports, writeHar, writeReports } from '../write-reports.ts';

/** Messages about the waivers of a run. */
type WaiverWords = Pick<RunOptions, 'waiverReason' | 'waiverOwner' | 'waiverUntil'>;

const header = `# A waiver for each rule, aspect and endpoint that failed. Move those that you accept into your profile, each with its reason.
# An expired waiver ends a run with 5, as does one whose failure is gone.
`;

/** A waiver for each rule, aspect and endpoint that failed, besides the profile's own waivers. */
function waiversFor({ checks, seed, waivers = [] }: Report, words: WaiverWords): Waiver[] {
  const { waiverReason: reason, waiverOwner: owner, waiverUntil: until } = words;
  const failed = checks.filter(({ verdict }) => verdict === 'fail').flatMap(failuresOf);
  const byName = new Map(
    failed.map(({ requirement, aspect, seen_in: seenIn }) => {
      // Other seeds show the same defect with other models.
      const place = seenIn === undefined ? undefined : endpointIn(seenIn);
      const name = `${requirement} ${aspect}${place === undefined ? '' : ` (${place})`}`;
      return [name, { id: requirement, aspect, place }] as const;
    }),
  );
  return [
    ...waivers,
    ...[...byName].map(([name, { place, ...named }]) => ({
      ...named,
      ...(place !== undefined && { place }),
      seed,
      reason: reason ?? `${name}: say why this is accepted`,
      ...(owner !== undefined && { owner }),
      ...(until !== undefined && { until }),
    })),
  ];
}

/** Writes the waivers as the part of a profile that they belong to. */
function writeWaivers(report: Report, file: string, words: WaiverWords): void {
  const document = new Document({ waivers: waiversFor(report, words) });
  const statements = new Map(report.requirements.map(({ id, statement }) => [id, statement]));
  visit(document, {
    Map: (_, map) => {
      const statement = statements.get(String(map.get('id')));
      if (statement !== undefined) map.commentBefore = ` ${statement}`;
    },
  });
  writeFileSync(file, header + document.toString({ lineWidth: 120 }));
}

/** The output of a deployment that the run started, next to its report. */
const deploymentLog = 'deployment.log';

const linesOnPage = 10;
const linesInFile = 5_000;

/** Writes and prints the results of a run, wherever its options require. Resolves with the exit code of the run. */
export async function deliverRun(
  judged: Report,
  options: RunOptions,
  target: Pick<ReachedTarget, 'lastWords'>,
): Promise<ExitCode> {
  const logged = await withDeploymentLog(judged, target, options.out);
  const report = options.history === undefined ? logged : withHistory(logged, options.history);
  deliver(report, options.out, options.quiet);
  if (options.har !== undefined) writeHar(report, options.har);
  if (options.writeWaivers !== undefined) writeWaivers(report, options.writeWaivers, options);
  return report.exit_code as ExitCode;
}

/** Writes the report of a run that judged nothing. Its error says the rest, and other files stay as they are. */
export function deliverNothing(report: Report, folder: string): void {
  removeReports(folder);
  writeReports(report, folder);
  publish(report, folder, { env: process.env, print: sayToRunner });
}

/** The report with the last lines of a deployment that the run started, where it did not end well. */
async function withDeploymentLog(
  report: Report,
  { lastWords }: Pick<ReachedTarget, 'lastWords'>,
  folder: string,
): Promise<Report> {
  rmSync(join(folder, deploymentLog), { force: true });
  if (lastWords === undefined || report.exit_code === exitCodes.conforming) return report;
  const [shown, all] = await Promise.all([lastWords(linesOnPage), lastWords(linesInFile)]);
  writeFileSync(join(folder, deploymentLog), `${all.join('\n')}\n`);
  const notice = `What the deployment wrote is in ${deploymentLog}, beside this report. Their last lines:\n${shown.join('\n')}`;
  return { ...report, notices: [...(report.notices ?? []), notice] };
}
