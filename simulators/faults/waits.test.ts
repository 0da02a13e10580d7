import { expect, it } from 'vitest';
import type { ChatDialectName } from '../answers/native-answer.ts';
import { contextFor, givenAnswer } from '../testing/given-answer.ts';
import { postChat } from '../testing/post-chat.ts';
import { useSimulators } from '../testing/simulators.ts';
import { faults } from './catalogue.ts';

const simulators = useSimulators();

/** When the first writes of a fault with a scripted wait are due, ms. */
async function dueTimes(id: string, form: string | null, waitMs: number): Promise<number[]> {
  const dialect: ChatDialectName = 'chat-completions';
  const given = await givenAnswer(simulators, { dialect, call: 'stream' }, { deltas: ['Ü', 'b', 'c'] });
  const fault = faults.find((one) => one.id === id);
  const context = contextFor(given, { form, waitMs });
  if (fault?.kind === 'edit') return fault.answer(given, context).frames.map(({ dueMs }) => dueMs);
  const program =
    fault?.kind === 'hijack'
      ? fault.steps(context)
      : fault?.kind === 'wire'
        ? fault.steps(given, context)
        : [];
  const due: number[] = [];
  for (const step of program ?? []) {
    if (step.do === 'end' || due.length > 40) break;
    due.push(step.do === 'write' ? step.dueMs : step.untilMs);
  }
  return due;
}

it.each([
  ['T12', 'each-second', 7, [7, 14, 21]],
  ['T13', null, 70, [70, 140, 210]],
  ['S2', 'unfinished-chunks', 90, [90]],
  ['S3', null, 90, [90]],
  ['S5', null, 30, [30, 60, 90]],
  ['S18', 'two-chunks', 11, [11]],
  ['S29', null, 40, [40, 80]],
])('%s waits for the scripted time', async (id, form, waitMs, expected) => {
  expect([...new Set(await dueTimes(id, form, waitMs))]).toEqual(expect.arrayContaining(expected));
});

it.each(['H1', 'H5'])('%s states the scripted wait in every retry header', async (id) => {
  const tenant = simulators.tenant();
  await tenant.script({ replies: [{ fault: { id, wait_ms: 3000 } }] });
  const { headers } = await postChat(simulators.base(tenant.name), {});
  expect([headers['retry-after'], headers['retry-after-ms'] ?? '3000']).toEqual(['3', '3000']);
});
