import { type Check, defineCheck } from '../../engine/check.ts';
import { type Fetched, summaryOf } from '../../engine/fetch-media.ts';
import type { CheckParts } from '../../engine/parts/check-parts.ts';
import type { Tasks } from '../../engine/parts/tasks.ts';
import { mediaModels } from '../../oracle/media/models.ts';
import type { TaskRecord } from '../../oracle/media/task-answer.ts';
import { advise, flag, must, Untestable } from '../../rules/violation.ts';
import { fillable } from '../../steps/fields/media-inputs.ts';
import { defaultSeconds, mediumMade } from '../../steps/media/task-models.ts';

const media = { video: 'a film', audio: 'sound', image: 'pictures' } as const;

/** Rules that the life of any task shows. */
const common = [
  'TASK-001',
  'TASK-009',
  'TASK-011',
  'TASK-014',
  'TASK-015',
  'TASK-016',
  'TASK-018',
  'TASK-019',
  'STATE-001',
  'STATE-003',
  'STATE-005',
  'STATE-008',
] as const;

type Made = keyof typeof media;

/** One check for each medium: every model accepts a task, which is readable at once and ends with the right result. */
export const lifeChecks: readonly Check[] = (Object.keys(media) as Made[]).map((medium) =>
  defineCheck({
    id: `task.life.${medium}`,
    title: `each ${medium} task is queued at once, only moves forward, and ends in ${medium} results`,
    requirements: [...common, ...(medium === 'video' ? ['TASK-012', 'TASK-017'] : [])] as [
      string,
      ...string[],
    ],
    kind: 'example',
    needs: [],
    run: async (parts) => {
      const models = mediaModels
        .filter(({ id, endpoint }) => endpoint === 'tasks' && mediumMade(id) === medium)
        .map(({ id }) => id)
        .filter((id) => parts.target.mediaModels.includes(id));
      if (models.length === 0)
        throw new Untestable(`models.enabled with a task model that makes ${media[medium]}`);
      await Promise.all(fillable(parts, models).map((model) => live(parts, model)));
    },
  }),
);

export const lengthIsHonoured = defineCheck({
  id: 'task.duration.honoured',
  title: 'a video lasts as many whole seconds as requested, and its record says so',
  requirements: ['TASK-017'],
  kind: 'example',
  needs: [],
  run: async ({ target, cases, newScene, tasks }) => {
    const lengths = [
      ['vidB2', 10],
      ['vidD-02', 10],
      ['delta-imagine-t2v', 5],
    ] as const;
    const known = lengths.filter(([model]) => target.mediaModels.includes(model));
    if (known.length === 0) throw new Untestable('models.enabled with vidB2, vidD-02 or delta-imagine-t2v');
    await Promise.all(
      known.map(async ([model, duration]) => {
        cases.count();
        const body = { ...newScene().minimalMedia(model), duration };
        const { last } = await tasks.make(body, { label: `${model}, ${duration} s` });
        judgeLength(tasks, last, await tasks.results(last), { model, asked: duration });
      }),
    );
  },
});

async function live({ cases, tasks, newScene }: CheckParts, model: string): Promise<void> {
  cases.count();
  const submitted = await tasks.submit(newScene().minimalMedia(model), { label: model });
  const { taskId } = tasks.accepted(submitted, { requirement: 'TASK-001', aspect: 'every-model-taken' });
  const atOnce = await tasks.read(taskId, { label: `${model}, read at once` });
  tasks.record(atOnce, taskId, { requirement: 'TASK-009', aspect: 'readable-at-once', twin: submitted });
  const { last } = await tasks.follow(taskId, { label: `${model}, read` });
  const rule = { requirement: 'STATE-005', aspect: 'succeeds', exchange: last.exchange, twin: submitted };
  const expected = `status SUCCESS of ${model}`;
  must(last.status === 'SUCCESS', { ...rule, expected, actual: `${last.status} ${last.error?.code ?? ''}` });
  const results = await tasks.results(last);
  for (const result of results) judgeKind(model, result, last);
  if (mediumMade(model) === 'video')
    judgeLength(tasks, last, results, { model, asked: defaultSeconds(model) });
}

/** The file at a result URL and its content type are of the medium that the model makes. */
function judgeKind(model: string, result: Fetched, record: TaskRecord): void {
  const medium = mediumMade(model);
  const evidence = { exchange: record.exchange, twin: result.exchange };
  const fits = result.sniffed.kind === medium && result.type.startsWith(`${medium}/`);
  const rule = { requirement: 'TASK-018', aspect: 'fitting-type', ...evidence };
  must(fits, { ...rule, expected: `${medium} at the result URLs of ${model}`, actual: summaryOf(result) });
}

/** Judges that the file has the requested or default length, and that duration_sec agrees where declared (reading B-70). */
function judgeLength(
  { showsLength }: Tasks,
  record: TaskRecord,
  results: readonly Fetched[],
  { model, asked }: { readonly model: string; readonly asked: number | null },
): void {
  const own = { requirement: 'TASK-017', exchange: record.exchange };
  const { durationSec: said } = record;
  const [file = null] = results.flatMap(({ sniffed }) => (sniffed.kind === 'video' ? [sniffed.seconds] : []));
  const isAsked = asked === null || file === null || Math.abs(file - asked) < 1;
  const lasting = `a video of ${asked} s`;
  flag(isAsked, { ...own, aspect: 'length-of-file', expected: lasting, actual: `${file} s` });
  if (!showsLength) return;
  const actual = String(said);
  const positive = 'duration_sec above 0 for a video';
  advise(said !== null && said > 0, { ...own, aspect: 'length-told', expected: positive, actual });
  if (said === null) return;
  const wanted = `duration_sec ${asked} of ${model}`;
  advise(asked === null || said === asked, { ...own, aspect: 'length-asked-for', expected: wanted, actual });
  const isSame = file === null || Math.abs(file - said) < 1;
  advise(isSame, {
    ...own,
    aspect: 'length-as-file',
    expected: `duration_sec ${file}, as the video`,
    actual,
  });
}
