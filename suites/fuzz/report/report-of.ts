import { join } from 'node:path';
import { type ExitCode, exitCodes } from '../../process/exit-codes.ts';
import { declaredUrl } from '../../profile/declared-url.ts';
import type { Profile } from '../../profile/profile.ts';
import { createRedactor } from '../../wire/redactor.ts';
import { medianOf, p99Of } from '../cost/probe.ts';
import type { FuzzLimits } from '../fuzz-options.ts';
import type { FuzzOutcome } from '../run-fuzz.ts';
import type { Spending } from '../sending/spending.ts';
import { type Growth, reportedFindings } from './build-report.ts';
import { type FuzzReport, failuresIn, type Waits } from './fuzz-report.ts';

/** The inputs of a report. */
export interface Reporting {
  /** The command with the flags of its target. */
  readonly command: string;
  readonly out: string;
  readonly versions: FuzzReport['versions'];
  readonly limits: FuzzLimits;
  readonly profile: Profile;
  readonly outcome: FuzzOutcome | null;
  readonly spending: Spending;
  readonly startedAt: Date;
  readonly why: string | null;
  readonly memory: FuzzReport['memory'];
  readonly interrupted: boolean;
}

/** The report of a run, also of an incomplete one. */
export function reportOf(reporting: Reporting): FuzzReport {
  const { command, out, versions, limits, profile, outcome, spending, startedAt, why, memory, interrupted } =
    reporting;
  const findings =
    outcome === null
      ? []
      : reportedFindings(outcome, growthsIn(memory, limits.memoryMb), {
          profile,
          redact: createRedactor(profile),
          replayPrefix: `${command} --out ${out}`,
          bodyFile: (id) => join(out, bodyName(id)),
        });
  const { exchanges, paid, usd } = spending.total;
  const sent = {
    requests: outcome?.fields?.sent ?? 0,
    sequences: outcome?.raw?.sent ?? 0,
    bodies: outcome?.costs?.sent ?? 0,
    ...{ exchanges, paid, usd, waited: outcome?.waited ?? 0, unjudged: outcome?.fields?.unjudged ?? 0 },
  };
  const costs = outcome?.costs ?? null;
  return {
    schema: 1,
    target: { name: profile.name, base_url: declaredUrl(profile) },
    seed: limits.seed,
    command: `${command} --requests ${limits.requests} --bodies ${limits.bodies} --seed ${limits.seed}`,
    started_at: startedAt.toISOString(),
    duration_ms: Date.now() - startedAt.getTime(),
    versions: versions,
    exit_code: exitCodeFor({ findings }, sent, interrupted),
    ...{ interrupted, stopped: why, sent, memory, findings },
    statuses: outcome?.fields?.statuses ?? {},
    coverage: {
      cells: outcome?.deck.cells.length ?? 0,
      covered: outcome?.coverage.covered ?? 0,
      rows: outcome?.coverage.rows() ?? [],
    },
    beside_requests: outcome?.beside == null ? null : waitsOf(outcome.beside.map(({ ms }) => ms)),
    others:
      costs === null
        ? null
        : {
            quiet_ms: costs.quiet.median,
            quiet_worst_ms: costs.quiet.worst,
            bound_ms: limits.stallMs,
            worst_seen_ms: costs.worstSeenMs,
            slowest: costs.slowest.map(({ name, bytes, status, ms, stallMs }) => ({
              ...{ body: name, bytes, status },
              ...{ ms: Math.round(ms), stall_ms: Math.round(stallMs) },
            })),
          },
  };
}

function growthsIn(memory: FuzzReport['memory'], boundMb: number | null): Growth[] {
  if (memory === null || boundMb === null) return [];
  return (['costs', 'fields'] as const).flatMap((part) => {
    const grownMb = memory.grown_mb[part];
    return grownMb !== null && grownMb > boundMb ? [{ part, grownMb, boundMb }] : [];
  });
}

function waitsOf(ms: readonly number[]): Waits {
  const worst = ms.reduce((one, other) => Math.max(one, other), 0);
  return { median_ms: medianOf(ms), p99_ms: p99Of(ms), worst_ms: worst };
}

/** 1 for a finding, 3 when nothing could be judged, 130 when interrupted. */
function exitCodeFor(
  report: Pick<FuzzReport, 'findings'>,
  { requests, sequences, bodies, unjudged }: FuzzReport['sent'],
  interrupted: boolean,
): ExitCode {
  if (interrupted) return exitCodes.interrupted;
  if (failuresIn(report).length > 0) return exitCodes.failures;
  const judged = requests + sequences + bodies;
  return judged === 0 || unjudged > judged ? exitCodes.unreachable : exitCodes.conforming;
}

/** The name of the file for a body that does not fit a command line. */
export function bodyName(id: string): string {
  return `fuzz-${id}.body`;
}
