import type { Deviation } from './deviation.ts';
import { inAnswers } from './in-answers.ts';
import { otherWords } from './other-words.ts';

const specified = ['QUEUED', 'RUNNING', 'SUCCESS', 'FAILED', 'EXPIRED'];

/** Job APIs differ, and each has its own names for job states. */
export const taskStates: Deviation = {
  id: 'task-states',
  title: 'tasks are in states of other words',
  requirement: 'STATE-001',
  checks: ['task.life.image'],
  takes: 'your words and those of the specification, such as { in_progress: RUNNING, completed: SUCCESS }',
  undo: (given) => {
    const meant = otherWords(given, specified);
    if (meant === null) return null;
    return inAnswers((body) => {
      if (typeof body.task_id === 'string' && body.status !== undefined) body.status = meant(body.status);
    });
  },
};
