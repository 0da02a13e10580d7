import fc from 'fast-check';
import { defineCheck } from '../../engine/check.ts';
import type { CheckParts } from '../../engine/parts/check-parts.ts';
import type { Tasks } from '../../engine/parts/tasks.ts';
import type { LaterStep } from '../../oracle/media/fields.ts';
import { unknownIdLike } from '../../oracle/media/task-answer.ts';
import { must } from '../../rules/violation.ts';
import {
  cellSide,
  imagineBody,
  isSameGrid,
  longSide,
  type MadeStep,
  makeStep,
  stepBody,
} from '../../steps/media/workflow.ts';

const place = fc.nat({ max: 9 });
const index = fc.integer({ min: 1, max: 4 });
const options = fc.record(
  {
    aspect_ratio: fc.constantFrom('7:5', '1:1', '9:16'),
    stylize: fc.integer({ min: 0, max: 1_000 }),
    weird: fc.integer({ min: 0, max: 3_000 }),
    chaos: fc.integer({ min: 0, max: 100 }),
    tile: fc.boolean(),
  },
  { requiredKeys: [] },
);

/** One command of a chain. `of` picks its parent among the tasks made so far. */
type Command =
  | { readonly do: 'imagine'; readonly options: Readonly<Record<string, unknown>> }
  | { readonly do: 'upscale' | 'variation'; readonly of: number; readonly index: number }
  | { readonly do: 'reroll'; readonly of: number }
  /** A later step of something other than a grid: of an upscaled image, or of an unknown id. */
  | { readonly do: 'wrong'; readonly step: LaterStep; readonly of: number };

const command: fc.Arbitrary<Command> = fc.oneof(
  fc.record({ do: fc.constant('imagine' as const), options }),
  fc.record({ do: fc.constantFrom('upscale' as const, 'variation' as const), of: place, index }),
  fc.record({ do: fc.constant('reroll' as const), of: place }),
  fc.record({
    do: fc.constant('wrong' as const),
    step: fc.constantFrom('upscale' as const, 'variation' as const, 'reroll' as const),
    of: place,
  }),
);

/** Each step once, on every kind of grid. */
const everything: readonly Command[] = [
  { do: 'variation', of: 0, index: 4 },
  { do: 'upscale', of: 1, index: 1 },
  { do: 'wrong', step: 'upscale', of: 1 },
  { do: 'reroll', of: 0 },
  { do: 'wrong', step: 'reroll', of: 0 },
  { do: 'upscale', of: 2, index: 3 },
];

/** The tasks of a chain so far: the model that the deployment is compared with. */
class Chain {
  readonly #made: MadeStep[] = [];

  get made(): readonly MadeStep[] {
    return this.#made;
  }

  add(step: MadeStep): void {
    this.#made.push(step);
  }

  /** A grid that later steps can use. */
  grid(of: number): MadeStep {
    const grids = this.#made.filter(({ name }) => name !== 'upscale');
    return grids[of % grids.length] as MadeStep;
  }

  /** The id of a single image where there is one, or an unknown id. */
  wrongId(of: number): string {
    const singles = this.#made.filter(({ name }) => name === 'upscale');
    const single = singles[Math.floor(of / 2) % Math.max(1, singles.length)];
    return of % 2 === 0 || single === undefined ? unknownIdLike(this.grid(of).taskId) : single.taskId;
  }
}

export const chainsHold = defineCheck({
  id: 'jrny.chain.model',
  title: 'in any chain of steps each step is its own task and leaves every other task unchanged',
  requirements: [
    'JRNY-001',
    'JRNY-003',
    'JRNY-004',
    'JRNY-005',
    'JRNY-006',
    'JRNY-007',
    'JRNY-008',
    'JRNY-016',
    'JRNY-020',
  ],
  kind: 'property',
  needs: [],
  run: async (parts) => {
    await parts.cases.forAll(
      fc.array(command, { minLength: 1, maxLength: parts.cases.full ? 10 : 4 }),
      (commands) => playAll(parts, commands),
      { quick: 1, full: 25, smoke: 0, examples: [everything] },
    );
  },
});

/** Plays the commands on a chain that begins with a grid. */
async function playAll(parts: CheckParts, commands: readonly Command[]): Promise<void> {
  const chain = new Chain();
  await play(parts, chain, { do: 'imagine', options: {} });
  for (const each of commands) await play(parts, chain, each);
  await Promise.all(chain.made.map((step) => judgeUnchanged(parts.tasks, step)));
}

async function play(parts: CheckParts, chain: Chain, each: Command): Promise<void> {
  switch (each.do) {
    case 'imagine':
      judgeNew(chain, await makeStep(parts, 'imagine', { ...imagineBody(parts), ...each.options }));
      return;
    case 'upscale': {
      const parent = chain.grid(each.of);
      const made = await makeStep(parts, 'upscale', stepBody('upscale', parent.taskId, each.index));
      judgeLarger(parent, made);
      judgeNew(chain, made);
      return;
    }
    case 'variation': {
      const parent = chain.grid(each.of);
      const made = await makeStep(parts, 'variation', stepBody('variation', parent.taskId, each.index));
      judgeOther(parent, made);
      judgeNew(chain, made);
      return;
    }
    case 'reroll':
      judgeNew(chain, await makeStep(parts, 'reroll', stepBody('reroll', chain.grid(each.of).taskId)));
      return;
    case 'wrong':
      await judgeWrong(parts, chain.wrongId(each.of), each.step);
  }
}

function judgeNew(chain: Chain, made: MadeStep): void {
  const earlier = chain.made.find(({ taskId }) => taskId === made.taskId);
  const rule = { requirement: 'JRNY-020', aspect: 'own-id', exchange: made.submitted };
  const actual = `${made.taskId}, the id of an earlier step`;
  must(earlier === undefined, { ...rule, expected: 'a task_id of its own for each step', actual });
  chain.add(made);
}

function judgeLarger(parent: MadeStep, made: MadeStep): void {
  const [side, cell] = [longSide(made.files), cellSide(parent.files)];
  const evidence = { exchange: made.last.exchange, twin: parent.last.exchange };
  const rule = { requirement: 'JRNY-005', aspect: 'larger-than-a-cell', ...evidence };
  const expected = `an image larger than a cell of its grid, ${cell} pixels`;
  must(side > cell, { ...rule, expected, actual: `${side} pixels` });
}

function judgeOther(parent: MadeStep, made: MadeStep): void {
  const evidence = { exchange: made.last.exchange, twin: parent.last.exchange };
  const rule = { requirement: 'JRNY-007', aspect: 'differs-from-parent', ...evidence };
  const expected = 'a grid that differs from its parent';
  must(!isSameGrid(parent.files, made.files), { ...rule, expected, actual: 'the same images' });
}

async function judgeWrong(
  { cases, tasks, judge }: CheckParts,
  parentId: string,
  step: LaterStep,
): Promise<void> {
  cases.count();
  const body = stepBody(step, parentId, step === 'reroll' ? undefined : 2);
  const exchange = await tasks.submit(body, { label: `${step} of something other than a grid` });
  const rule = { requirement: 'JRNY-016', aspect: 'no-grid-refused', paramRule: 'JRNY-016' } as const;
  const { code } = judge.refused(exchange, { ...rule, codes: ['invalid_param', 'task_not_found'] });
  if (code === 'invalid_param') judge.refused(exchange, { ...rule, codes: [code], param: 'parent_task_id' });
}

/** Reads a task again. The trace then shows whether a final record has changed. */
async function judgeUnchanged(tasks: Tasks, { taskId }: MadeStep): Promise<void> {
  const again = await tasks.read(taskId, { label: 'the parent once more' });
  tasks.record(again, taskId, { requirement: 'JRNY-020', aspect: 'parent-readable' });
}
