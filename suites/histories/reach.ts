import type { Reach } from '../engine/widest.ts';
import type { Change, History } from './history.ts';
import type { RouteHistory } from './route-history.ts';
import type { TaskHistory, TaskStep } from './task-history.ts';

// Guides the choice of histories. A cell is a pair of conditions that a defect may need: what is called and how, with what its
// upstream did the last time, what was changed before it, or what happens meanwhile.

/** The cells of a history of chats, images, tasks and reads. */
export function reachOfHistory({ steps }: Pick<History, 'steps'>): Reach {
  const cells: string[] = [];
  const last = new Map<string, string>();
  let before = 'nothing';
  let calls = 0;
  for (const step of steps) {
    if (step.do === 'wait') before = `${step.side} ${step.bound}`;
    if (step.do === 'change') before = stateOf(step.change);
    if (step.do === 'wait' || step.do === 'change') continue;
    const { way, stream, behaviour, fault, key, headers } = step.plan;
    const call = `${way}${stream ? ', stream' : ''}`;
    cells.push(`${call}: ${behaviour}`, `${call}: ${fault} by ${key}`, `${call} after ${before}`);
    cells.push(`${call}: ${headers} headers`, `${way}: ${last.get(way) ?? 'nothing'}, then ${behaviour}`);
    if (step.do === 'together')
      cells.push(`${call}: ${behaviour}, meanwhile ${step.change?.what ?? 'nothing'}`);
    last.set(way, behaviour);
    calls += step.do === 'together' ? step.count : step.times;
  }
  return { cells, calls };
}

function stateOf(change: Change): string {
  switch (change.what) {
    case 'key':
      return `${change.state} key`;
    case 'cap':
      return 'another cap';
    case 'model':
      return change.hidden === 'all' ? 'no model' : change.hidden ? 'a hidden model' : 'a shown model';
    case 'grant':
      return 'more credit';
    case 'markup':
      return 'another markup';
    case 'quota':
      return change.spent ? 'a spent quota' : 'a fresh quota';
  }
}

/** The cells of a history of a route. */
export function reachOfRoute({ steps }: Pick<RouteHistory, 'steps'>): Reach {
  const cells: string[] = [];
  let before = 'nothing';
  let calls = 0;
  for (const step of steps) {
    if (step.do === 'wait') before = `${step.side} ${step.bound}`;
    if (step.do === 'wait') continue;
    const { isCompat, stream, results, own, reserve, times } = step;
    const call = `${isCompat ? 'compat' : 'core'}${stream ? ', stream' : ''}`;
    const all = own.join(' and ');
    cells.push(`${call}: ${all}`, `${call}: ${own[0]}, reserve ${reserve}`, `${before}, then ${all}`);
    cells.push(`${call}: ${results} results`);
    before = all;
    calls += times;
  }
  return { cells, calls };
}

/** The cells of lives of tasks. */
export function reachOfTasks({ steps }: TaskHistory): Reach {
  const named = steps.map(nameOf);
  const pairs = named.map((name, place) => `${named[place - 1] ?? 'nothing'}, then ${name}`);
  return { cells: [...named, ...pairs], calls: steps.length };
}

function nameOf(step: TaskStep): string {
  switch (step.do) {
    case 'submit':
    case 'continue':
    case 'read':
      return `${step.do} by ${step.by}`;
    case 'end':
    case 'crowd':
      return `${step.do} as ${step.end}`;
    case 'pass':
      return `pass ${step.what}`;
    case 'receive':
      return `receiver ${step.as}`;
    case 'change':
      return step.change.what === 'key' ? `${step.change.state} key` : `other ${step.change.what}`;
  }
}
