import fc from 'fast-check';
import { defineCheck } from '../../engine/check.ts';
import type { CheckParts } from '../../engine/parts/check-parts.ts';
import type { Tasks } from '../../engine/parts/tasks.ts';
import type { LaterStep } from '../../oracle/media/fields.ts';
import { unknownIdLike } from '../../oracle/media/unknown-id.ts';
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

/** One command of a chain. `of` picks a task among those made so far that will do, or that will not. */
type Command =
  | { readonly do: 'imagine'; readonly options: Readonly<Record<string, unknown>> }
  | { readonly do: 'upscale' | 'variation'; readonly of: number; readonly index: number }
  | { readonly do: 'reroll'; readonly of: number }
  /** A later step of what is no grid: of an upscaled picture, or of an id that nobody has. */
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

/** What is known of the tasks of a chain: the model that the deployment is held against. */
class Chain {
  readonly #made: MadeStep[] = [];

  get made(): readonly MadeStep[] {
    return this.#made;
  }

  add(step: MadeStep): void {
    this.#made.push(step);
  }

  /** A grid, which later steps can go on from. */
  grid(of: number): MadeStep {
    const grids = this.#made.filter(({ name }) => name !== 'upscale');
    return grids[of % grids.length] as MadeStep;
  }

  /** The id of what is no grid: a single picture where there is one, or nobody's. */
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
      { quick: 1, full: 25, examples: [everything] },
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
  const rule = { requirement: 'JRNY-020', aspect: 'own-id', exchange: made.submitted };
  const expected = 'a task_id of its own for each step';
  const actual = `${made.taskId}, which an earlier step has`;
  must(
    chain.made.every(({ taskId }) => taskId !== made.taskId),
    { ...rule, expected, actual },
  );
  chain.add(made);
}

function judgeLarger(parent: MadeStep, made: MadeStep): void {
  must(longSide(made.files) > cellSide(parent.files), {
    requirement: 'JRNY-005',
    aspect: 'larger-than-a-cell',
    expected: `a picture larger than a cell of its grid, ${cellSide(parent.files)} pixels`,
    actual: `${longSide(made.files)} pixels`,
    exchange: made.last.exchange,
    twin: parent.last.exchange,
  });
}

function judgeOther(parent: MadeStep, made: MadeStep): void {
  must(!isSameGrid(parent.files, made.files), {
    requirement: 'JRNY-007',
    aspect: 'differs-from-parent',
    expected: 'a grid that differs from its parent',
    actual: 'the same pictures',
    exchange: made.last.exchange,
    twin: parent.last.exchange,
  });
}

async function judgeWrong(
  { cases, tasks, judge }: CheckParts,
  parentId: string,
  step: LaterStep,
): Promise<void> {
  cases.count();
  const body = stepBody(step, parentId, step === 'reroll' ? undefined : 2);
  const exchange = await tasks.submit(body, { label: `${step} of what is no grid` });
  const rule = { requirement: 'JRNY-016', aspect: 'no-grid-refused', paramRule: 'JRNY-016' } as const;
  const { code } = judge.refused(exchange, { ...rule, codes: ['invalid_param', 'task_not_found'] });
  if (code === 'invalid_param') judge.refused(exchange, { ...rule, codes: [code], param: 'parent_task_id' });
}

/** Reads a task once more: all reads of one task are judged as a trace, in which a record that is final never changes. */
async function judgeUnchanged(tasks: Tasks, { taskId }: MadeStep): Promise<void> {
  const again = await tasks.read(taskId, { label: 'the parent once more' });
  tasks.record(again, taskId, { requirement: 'JRNY-020', aspect: 'parent-readable' });
}
