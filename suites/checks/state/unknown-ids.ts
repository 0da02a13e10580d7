import fc from 'fast-check';
import { defineCheck } from '../../engine/check.ts';
import type { CheckParts } from '../../engine/parts/check-parts.ts';
import type { HttpCalls } from '../../engine/parts/http-calls.ts';
import { type Answered, differences, medianOf } from '../../oracle/media/alike.ts';
import { advise, must, Untestable } from '../../rules/violation.ts';
import { mustBeUnknown } from '../../steps/media/held-task.ts';
import { anyTaskModel } from '../../steps/media/task-models.ts';
import type { Rng } from '../../values/seed.ts';
import { type Exchange, jsonOf, outcomeOf } from '../../wire/exchange.ts';

/** Ids that were never issued, of many forms, some with a meaning elsewhere. */
const neverIssued: fc.Arbitrary<string> = fc
  .oneof(
    fc.uuid(),
    fc.uuid().map((id) => `task_${id.replaceAll('-', '')}`),
    fc.string({ unit: 'grapheme', minLength: 1, maxLength: 60 }),
    fc.string({ minLength: 1, maxLength: 300 }),
    fc.constantFrom('0', '-1', 'null', 'undefined', '*', '%', "' OR 1=1 --", '__proto__', '{task_id}', 'a b'),
  )
  // These would change the path.
  .filter((id) => id.isWellFormed() && id.trim() !== '' && !/^\.{1,2}$/.test(id) && !id.includes('\0'));

/** Timing differences below these values prove nothing on a busy machine: ms and ratio. */
const minMs = 20;
const minRatio = 2;
const rounds = 9;

export const unknownIdsAreNotFound = defineCheck({
  id: 'state.unknown.not-found',
  title: 'an id that was never issued reads as 404 task_not_found, whatever its form, every time',
  requirements: ['STATE-014', 'ERR-028'],
  kind: 'property',
  needs: [],
  run: async (parts) => {
    const rule = { requirement: 'STATE-014', aspect: 'never-issued' };
    await parts.cases.forAll(
      neverIssued,
      async (id) => {
        const label = `task ${JSON.stringify(id).slice(0, 60)}`;
        if (isPlain(id)) await mustBeUnknown(parts, id, rule, { label });
        else mustShowNoTask(parts, await parts.tasks.read(id, { label }), rule);
      },
      { quick: 15, full: 300, examples: ['task_0', 'x'.repeat(500), '../models', 'task_1/../x', 'ünïcode'] },
    );
  },
});

export const nearMisses = defineCheck({
  id: 'state.unknown.near-miss',
  title: 'a near miss of a task id is not found; the id itself still is',
  requirements: ['STATE-014', 'ERR-028'],
  kind: 'metamorphic',
  needs: [],
  run: async (parts) => {
    const { tasks, newScene, cases, judge, target } = parts;
    const submitted = await tasks.submit(newScene().minimalMedia(anyTaskModel(target)));
    const { taskId } = tasks.accepted(submitted);
    const rule = { requirement: 'STATE-014', aspect: 'near-miss', twin: submitted };
    for (const id of nearOf(taskId)) {
      cases.count();
      const exchange = await tasks.read(id, { label: `task ${id} in the place of ${taskId}` });
      const found = (jsonOf(exchange) ?? {}) as { task_id?: unknown };
      // A short numeric id may belong to another task of the account.
      if (!isPlain(id)) mustShowNoTask(parts, exchange, rule);
      else if (found.task_id === id) judge.note('an id close to an issued one is that of another task');
      else judge.refused(exchange, { ...rule, codes: ['task_not_found'] });
    }
    tasks.record(await tasks.read(taskId), taskId);
  },
});

export const foreignIsUnknown = defineCheck({
  id: 'state.foreign.unknown',
  title: "another account's task looks like an unknown one in status, body, headers and timing",
  requirements: ['STATE-011', 'ERR-028'],
  kind: 'metamorphic',
  needs: ['keys.K3'],
  run: async (parts) => {
    const { accounts, tasks, newScene, target, rng, http } = parts;
    const foreigner = accounts.key('K3');
    const body = newScene().minimalMedia(anyTaskModel(target));
    const { taskId } = await tasks.make(body, { label: 'a task of K1' });
    const ask = async (id: string, label: string): Promise<Answered> => {
      const rule = { requirement: 'STATE-011', aspect: 'not-found' };
      return { id, exchange: await mustBeUnknown(parts, id, rule, { key: foreigner, label }) };
    };
    const controls = [
      await ask(altered(rng, taskId), 'never issued'),
      await ask(altered(rng, taskId), 'nor this'),
    ] as const;
    const foreign = await ask(taskId, "K1's task read with K3");
    const different = differences(foreign, controls[0], controls);
    const revealing = different.filter((difference) => !isForm(difference));
    const evidence = { exchange: foreign.exchange, twin: controls[0].exchange };
    const alike = { requirement: 'STATE-011', aspect: 'alike', ...evidence };
    const expected = 'the answer to an id that was never issued';
    must(revealing.length === 0, { ...alike, expected, actual: revealing.join('; ').slice(0, 300) });
    advise(different.length === 0, { ...alike, expected, actual: different.join('; ').slice(0, 300) });
    await judgeTimes(
      http,
      () => ask(taskId, 'foreign'),
      () => ask(altered(rng, taskId), 'never issued'),
    );
    // The owner still reads it.
    tasks.record(await tasks.read(taskId), taskId);
  },
});

export const accountReadsItsTasks = defineCheck({
  id: 'state.account.every-key',
  title: 'every key of the account reads its tasks, whichever user or app they belong to',
  requirements: ['STATE-012', 'STATE-009'],
  kind: 'metamorphic',
  needs: [],
  run: async ({ keys, tasks, newScene, cases, target }) => {
    const { K2: k2, K4: k4, K5: k5 } = keys;
    const others = Object.entries({ K2: k2, K4: k4, K5: k5 }).filter(([, key]) => key !== undefined);
    if (others.length === 0) throw new Untestable('keys.K2');
    const body = newScene().minimalMedia(anyTaskModel(target));
    const { taskId, last } = await tasks.make(body, { label: 'a task of K1' });
    for (const [name, key] of others) {
      cases.count();
      const exchange = await tasks.read(taskId, { key: key ?? '', label: `read with ${name}` });
      const rule = { requirement: 'STATE-012', aspect: 'other-key-reads', twin: last.exchange };
      tasks.record(exchange, taskId, rule);
    }
  },
});

/** Whether an id needs no encoding in a path. A proxy may resolve or refuse other paths. */
function isPlain(id: string): boolean {
  return /^[\w~-][\w.~-]{0,199}$/.test(id);
}

/** Judges the answer to a path with encoded characters: no task, and no failure of the gateway. */
function mustShowNoTask(
  { judge }: CheckParts,
  exchange: Exchange,
  rule: { readonly requirement: string; readonly aspect: string; readonly twin?: Exchange },
): void {
  const { response } = exchange;
  const status = response?.status ?? 0;
  const isTask = status < 400 && Object.hasOwn(Object(jsonOf(exchange)), 'task_id');
  must(response !== null && status < 500 && !isTask, {
    ...rule,
    expected: 'no task, and no failure of the gateway, for a path with encoded characters',
    actual: outcomeOf(exchange),
    exchange,
  });
  if (status !== 404) judge.note(`a path with encoded characters is answered HTTP ${status}`);
}

/** Unissued ids that resemble an issued one. */
function nearOf(id: string): string[] {
  const last = id.at(-1) ?? '';
  const swapped = id === id.toUpperCase() ? id.toLowerCase() : id.toUpperCase();
  return [
    `${id}x`,
    `x${id}`,
    id.slice(0, -1),
    id.slice(0, -1) + (last === 'a' ? 'b' : 'a'),
    ` ${id}`,
    `${id} `,
    `${id}\n`,
    // Digits have no case.
    ...(swapped === id ? [] : [swapped]),
  ];
}

/**
 * Whether a difference is only in headers or wording. Secrecy requires equal status and members; equal wording is only
 * advised.
 */
function isForm(difference: string): boolean {
  return difference.startsWith('body.error.message:') || !/^(?:status|answer|body)/.test(difference);
}

/** Another id of the same form. */
function altered(rng: Rng, id: string): string {
  const hex = rng.hex(id.length);
  const from = Math.max(0, id.length - 12);
  return (
    id.slice(0, from) +
    id.slice(from).replaceAll(/[0-9a-z]/gi, (letter, at: number) => {
      const drawn = hex[at] ?? '0';
      return /[A-Z]/.test(letter) ? drawn.toUpperCase() : drawn;
    })
  );
}

/** Judges that the median times of two kinds of calls do not differ. */
async function judgeTimes(
  http: HttpCalls,
  one: () => Promise<Answered>,
  other: () => Promise<Answered>,
): Promise<void> {
  let middle = await measure(one, other, rounds);
  // Another process may have disturbed the first measurement.
  if (isApart(middle)) middle = await measure(one, other, 2 * rounds);
  const rule = { requirement: 'STATE-011', aspect: 'alike-in-time', exchange: http.sent.at(-1) };
  const actual = `${middle[0].toFixed(1)} ms and ${middle[1].toFixed(1)} ms`;
  advise(!isApart(middle), { ...rule, expected: 'the time of an id that was never issued', actual });
}

async function measure(
  one: () => Promise<Answered>,
  other: () => Promise<Answered>,
  times: number,
): Promise<[number, number]> {
  const taken: [number[], number[]] = [[], []];
  for (let round = 0; round < times; round += 1) {
    taken[0].push((await one()).exchange.response?.endMs ?? 0);
    taken[1].push((await other()).exchange.response?.endMs ?? 0);
  }
  return [medianOf(taken[0]), medianOf(taken[1])];
}

function isApart([one, other]: readonly [number, number]): boolean {
  const [less, more] = one < other ? [one, other] : [other, one];
  return more - less > minMs && more > minRatio * less;
}
