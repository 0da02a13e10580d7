import { basename } from 'node:path';
import type { Finding } from '../rules/violation.ts';
import type { JobContext } from './job-result.ts';

/** The finding of a check that broke down itself. */
export function harnessFinding(context: Pick<JobContext, 'check'>, error: unknown): Finding {
  const text = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  const place = error instanceof Error ? placeIn(error.stack ?? '') : '';
  return {
    requirement: context.check.requirements[0],
    aspect: 'harness',
    expected: 'the check runs to its end',
    actual: place === '' ? text : `${text} (at ${place})`,
  };
}

/** Where an error was made: the first place in the suites, or in a check of the user's own. */
function placeIn(stack: string): string {
  const frames = [...stack.matchAll(/(\/[^\s()]*?:\d+):\d+/g)].map(([, frame = '']) => frame);
  // The packaged tool has its modules in `chunks`.
  const ours = /\/((?:suites|simulators|chunks)\/.*)$/;
  const first = frames.find((frame) => ours.test(frame) || !frame.includes('/node_modules/')) ?? '';
  return ours.exec(first)?.[1] ?? basename(first);
}
