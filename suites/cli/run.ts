import { type ExitCode, UnreachableError } from '../process/exit-codes.ts';
import { catchInterrupts } from './interrupt.ts';
import { withTarget } from './reach-target.ts';
import { reachUndone } from './reach-undone.ts';
import { deliverNothing, deliverRun } from './run/deliver-run.ts';
import { judgeRun, nothingJudged, unreachable } from './run/judge-run.ts';
import { announce, look, planRun } from './run/plan-run.ts';
import { reportRun } from './run/report-run.ts';
import { preload, selectRun } from './run/select-run.ts';
import type { RunOptions } from './run-options.ts';
import { removeReports } from './write-reports.ts';

const interruptedText = 'Interrupted: writing the report. Interrupt again to stop at once.\n';

/**
 * `gatecheck run`: judges one target and writes its report. One stage a line; each turns values into a value, and no stage
 * depends on a later one.
 */
export async function runCommand(given: RunOptions): Promise<ExitCode> {
  // select, and reject invalid options before anything is sent
  const options = withTarget(given);
  const asked = await selectRun(options);
  const interrupts = catchInterrupts();
  const { signal } = interrupts;
  signal.addEventListener('abort', () => process.stderr.write(interruptedText));
  // reach; the checks load while its processes start
  const reaching = reachUndone(options, asked.seed, { tenants: asked.tenants, signal });
  const [target] = await Promise.all([reaching, preload(asked)]);
  try {
    // probe
    const found = await look(target.undone.profile, signal).catch((error: unknown) => {
      // A job of CI keeps the report also of a run that judged nothing.
      if (error instanceof UnreachableError) {
        const nothing = { undone: target.undone, plan: null, interrupted: false };
        deliverNothing(reportRun(asked, unreachable(error), nothing), options.out);
      }
      throw error;
    });
    removeReports(options.out);
    // plan: the size, the bounds and the order of the run
    const plan = found === null ? null : planRun(asked, found);
    if (plan !== null) announce(asked, plan);
    // judge
    const judged = plan === null ? nothingJudged : await judgeRun(asked, plan, target.undone, signal);
    // report
    const report = reportRun(asked, judged, { undone: target.undone, plan, interrupted: signal.aborted });
    // deliver
    return await deliverRun(report, options, target);
  } finally {
    await target.stop();
    interrupts.release();
  }
}
