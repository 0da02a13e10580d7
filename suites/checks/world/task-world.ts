import { defineCheck } from '../../engine/check.ts';
import { fullTimes } from '../../histories/play-all.ts';
import { playTasks, setTaskStage } from '../../histories/play-tasks.ts';
import { reachOfTasks } from '../../histories/reach.ts';
import {
  endsBadly,
  failsFirst,
  isChanged,
  isForgotten,
  outlives,
  type TaskHistory,
  taskHistories,
} from '../../histories/task-history.ts';
import { mediaIdsOf } from '../../steps/routes/call-route.ts';
import { triedSideBySide } from '../../steps/tenants/side-by-side.ts';

const quick = 10;

/** Whether tasks certainly expire that are open from the beginning to the end. */
function expires(steps: TaskHistory['steps']): boolean {
  return steps.some((step) => step.do === 'pass' && step.what === 'deadline');
}

/** The number of models in each history, in addition to models with later steps. */
const others = 3;

export const tasksLiveAsToldToEach = defineCheck({
  id: 'world.tasks',
  title:
    'over task lifetimes on a changing account each reader sees each task as it is, and each end has one event',
  requirements: [
    'STATE-005',
    'STATE-006',
    'STATE-007',
    'STATE-008',
    'STATE-011',
    'STATE-012',
    'STATE-013',
    'AUTH-008',
    'AUTH-009',
    'AUTH-010',
    'TASK-010',
    'JRNY-015',
    'SONG-006',
    'TASK-017',
    'TASK-006',
    'ERR-021',
    'HOOK-001',
    'HOOK-002',
    'HOOK-003',
    'HOOK-004',
    'HOOK-005',
    'HOOK-008',
    'HOOK-013',
  ],
  kind: 'property',
  needs: ['upstream.control', 'hooks.accounts', 'tasks.deadline', 'tasks.retention', 'time'],
  clock: 'jump',
  tenants: { quick, full: 32 },
  run: async (parts) => {
    const { target, rng, cases } = parts;
    const all = rng.shuffle(mediaIdsOf(target, 'tasks'));
    const chained = all.filter((id) => id === 'journey-v7' || id === 'song-v5');
    const tryAll = (histories: readonly TaskHistory[]) =>
      triedSideBySide(parts, [...histories.entries()], async (own, [place, { steps }]) => {
        const rotated = all.map((_, at) => all[(at + place * others) % all.length] ?? '');
        const models = new Set([...chained, ...rotated.slice(0, others)]);
        await own.forgetScripts();
        // In the other half, the job of the purse still runs when its task expires.
        await playTasks(await setTaskStage(own, [...models], expires(steps) && place % 2 === 1), steps);
      });
    await cases.forAllTogether(taskHistories, tryAll, {
      ...{
        quick: quick - 5,
        full: fullTimes * quick,
        smoke: 3,
        examples: [failsFirst, isForgotten, isChanged, outlives, endsBadly],
      },
      reachOf: reachOfTasks,
      shrinkMs: cases.full ? 60_000 : 15_000,
    });
  },
});
