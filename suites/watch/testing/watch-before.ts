import type { Failure, Report } from 'gatecheck-reports/report';
import type { Profile } from '../../profile/profile.ts';
import { loadRegister } from '../../rules/register.ts';
import { MemoryBudget } from '../memory-budget.ts';
import { startRelay } from '../relay.ts';
import { watchReport } from '../watch-report.ts';
import { Watcher } from '../watcher.ts';

/** A watch in front of a deployment. */
export interface Watch {
  readonly baseUrl: string;
  readonly watcher: Watcher;
  /** The findings so far. */
  readonly found: readonly Failure[];
  close(): Promise<{ readonly report: Report; readonly undecided: number }>;
}

/** Starts a watch in front of the deployment at this URL, which may have a path. */
export async function watchBefore(baseUrl: string, profile: Profile): Promise<Watch> {
  const [found, register]: [Failure[], ReturnType<typeof loadRegister>] = [[], loadRegister()];
  const watcher = new Watcher({
    ...{ register, profile, sample: 1, tasks: 2_000, bodyBytes: 8e6, command: 'npx gatecheck watch' },
    onFailure: (_, failure) => found.push(failure),
  });
  const { origin, pathname } = new URL(baseUrl);
  const relay = await startRelay({
    ...{ upstream: new URL(origin), host: '127.0.0.1', port: 0, memory: new MemoryBudget(8e6, 256e6) },
    onPassing: (passing) => watcher.take(passing),
    onUnjudged: (why) => watcher.leftOut(why),
  });
  const startedAt = new Date();
  const close = async (): ReturnType<Watch['close']> => {
    await relay.close();
    const undecided = await watcher.conclude();
    const facts = { watcher, register, profile, undecided, what: baseUrl, stopped: null, startedAt };
    const versions = { gatecheck: '0', node: '0', fast_check: '0' };
    const report = watchReport({ ...facts, versions, command: 'npx gatecheck watch', durationMs: 1 });
    return { report, undecided };
  };
  return { baseUrl: relay.url + pathname.replace(/\/$/, ''), watcher, found, close };
}
