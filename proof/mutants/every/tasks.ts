import { type Mutant, source } from '../../edits/mutant.ts';

/** Later steps that reach their upstream changed. */
export const steps: readonly Mutant[] = [
  source(
    ['every.steps-of-image-one', 'later steps take the first image of a grid', 'JRNY-013', 'input-arrives'],
    'requests/native-body/callback-jobs.ts',
    'params: renamed(job.fields, callbackJobsNames),',
    "params: renamed('index' in job.fields ? { ...job.fields, index: 1 } : job.fields, callbackJobsNames),",
  ),
  // A second mutant: another field of another model.
  source(
    ['every.songs-of-a-minute', 'songs are always continued by a minute', 'SONG-010', 'input-arrives'],
    'requests/native-body/callback-jobs.ts',
    'params: renamed(job.fields, callbackJobsNames),',
    "params: renamed(job.action === 'extend' ? { ...job.fields, duration: 60 } : job.fields, callbackJobsNames),",
  ),
  source(
    ['every.steps-of-no-parent', 'the upstream gets another parent', 'SONG-028', 'parent-arrives'],
    'requests/native-body/callback-jobs.ts',
    'const [parent, second] = job.parents;',
    "const [parent, second] = job.parents.map((id) => (job.model === 'song-v5' ? id + id : id));",
  ),
  source(
    ['every.covers-for-songs', 'a song is continued as a cover', 'SONG-028', 'action-arrives'],
    'requests/native-body/callback-jobs.ts',
    'task: job.action ?? onlyTask[job.model],',
    "task: job.action === 'extend' ? 'cover' : (job.action ?? onlyTask[job.model]),",
  ),
];

/** Ends of tasks without an event. */
export const silentEnds: readonly Mutant[] = [
  source(
    [
      'every.unstarted-unreported',
      'a task whose job could not be started fails without an event',
      'HOOK-001',
      'event-of-each-end',
    ],
    'tasks/save-tasks.ts',
    'task.endedAtMs !== null && task.webhookUrl !== null)',
    "task.endedAtMs !== null && task.webhookUrl !== null && !(task.status === 'FAILED' && task.nativeId === null))",
  ),
  // A second mutant: only what is tried again and again ends so.
  source(
    [
      'every.tries-unreported',
      'a task that fails after several tries of its start has no event',
      'HOOK-001',
      'event-of-each-end',
    ],
    'tasks/save-tasks.ts',
    'task.endedAtMs !== null && task.webhookUrl !== null)',
    "task.endedAtMs !== null && task.webhookUrl !== null && !(task.status === 'FAILED' && task.startTries > 1))",
  ),
];
