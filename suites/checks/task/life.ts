import { type Check, defineCheck } from '../../engine/check.ts';
import { type Fetched, summaryOf } from '../../engine/fetch-media.ts';
import type { CheckParts } from '../../engine/parts/check-parts.ts';
import { mediaModels } from '../../oracle/media/models.ts';
import type { TaskRecord } from '../../oracle/media/task-answer.ts';
import { must, Untestable } from '../../rules/violation.ts';
import { defaultSeconds, mediumMade } from '../../steps/media/task-models.ts';

const media = {
  video: 'a film',
  audio: 'sound',
  image: 'pictures',
} as const;

/** Rows that the life of a task of any kind shows. */
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

/**
 * One check for each medium. Every model that makes it accepts a task, which can be read at once and ends with the
 * requested result.
 */
export const lifeChecks: readonly Check[] = (Object.keys(media) as Made[]).map((medium) =>
  defineCheck({
    id: `task.life.${medium}`,
    title: `each ${medium} task is queued at once, only moves forward, and ends in ${medium} results`,
    requirements: [...common, ...(medium === 'video' ? ['TASK-012', 'TASK-017'] : [])] as [
      string,
      ...string[],
    ],
    kind: 'example',
    needs: ['media.urls', ...(medium === 'audio' ? (['media.voices'] as const) : [])],
    run: async (parts) => {
      const models = mediaModels
        .filter(({ id, endpoint }) => endpoint === 'tasks' && mediumMade(id) === medium)
        .map(({ id }) => id)
        .filter((id) => parts.target.mediaModels.includes(id));
      if (models.length === 0)
        throw new Untestable(`models.enabled with a task model that makes ${media[medium]}`);
      await Promise.all(models.map((model) => live(parts, model)));
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
        judgeLength(model, last, await tasks.results(last), duration);
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
  if (mediumMade(model) === 'video') judgeLength(model, last, results);
}

/** What stands at a result URL is of the kind that the model makes, and is said to be. */
function judgeKind(model: string, result: Fetched, record: TaskRecord): void {
  const medium = mediumMade(model);
  must(result.sniffed.kind === medium && result.type.startsWith(`${medium}/`), {
    requirement: 'TASK-018',
    aspect: 'fitting-type',
    expected: `${medium} at the result URLs of ${model}`,
    actual: summaryOf(result),
    exchange: record.exchange,
    twin: result.exchange,
  });
}

/** The length is in the record, is that which was asked for or is usual, and is that of the file. */
export function judgeLength(
  model: string,
  record: TaskRecord,
  results: readonly Fetched[],
  asked: number | null = defaultSeconds(model),
): void {
  const own = { requirement: 'TASK-017', exchange: record.exchange };
  const { durationSec: said } = record;
  must(said !== null && said > 0, {
    ...own,
    aspect: 'length-told',
    expected: 'duration_sec of a film that is there',
    actual: String(said),
  });
  must(asked === null || said === asked, {
    ...own,
    aspect: 'length-asked-for',
    expected: `duration_sec ${asked} of ${model}`,
    actual: String(said),
  });
  const [file] = results.flatMap(({ sniffed }) => (sniffed.kind === 'video' ? [sniffed.seconds] : []));
  must(file === undefined || file === null || Math.abs(file - said) < 1, {
    ...own,
    aspect: 'length-of-file',
    expected: `a film of ${said} s`,
    actual: `${file} s`,
  });
}
