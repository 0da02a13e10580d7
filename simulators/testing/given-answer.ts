import type { NativeAnswer } from '../answers/native-answer.ts';
import type { Step } from '../answers/wire-program.ts';
import type { Reply } from '../control/protocol.ts';
import type { Fault, FaultContext } from '../fault-contract/fault.ts';
import { seededRandom } from '../random.ts';
import type { Cell } from './send-cell.ts';
import { openCall, readRaw } from './send-cell.ts';
import type { TestSimulators } from './simulators.ts';

/** Deltas with characters of one to four bytes, more deltas than most faults let through. */
export const scriptedDeltas: readonly string[] = [
  'Ebb ',
  'and flow ',
  'über ',
  'die 🌊',
  ' – ',
  'every day.',
];

/** The answer without a fault, frame by frame, from the journal. */
export async function givenAnswer(
  simulators: TestSimulators,
  { dialect, call }: Pick<Cell, 'dialect' | 'call'>,
  reply: Reply,
): Promise<NativeAnswer> {
  const tenant = simulators.tenant();
  await tenant.script({ replies: [reply] });
  const { status, headers } = await readRaw(await openCall(simulators.base(tenant.name), dialect, call));
  const { entries } = await tenant.journal({ ended: 1 });
  const sent = entries[0]?.reply;
  const body = Buffer.from(sent?.body_base64 ?? '', 'base64');
  let at = 0;
  const frames = (sent?.sends ?? []).slice(1).map(({ label, bytes }) => {
    at += bytes;
    return { label, bytes: body.subarray(at - bytes, at), dueMs: 0 };
  });
  const own = headers.filter(([name]) => !/^(?:transfer-encoding|connection|keep-alive|date)$/i.test(name));
  return { dialect, call, status, headers: Object.fromEntries(own), frames };
}

/** A fault context; everything that is not given is empty. */
export function contextFor(given: NativeAnswer, asked: Partial<FaultContext> = {}): FaultContext {
  return {
    dialect: given.dialect,
    call: given.call,
    version: 'current',
    form: null,
    after: null,
    waitMs: null,
    random: seededRandom('test'),
    nth: 1,
    http: 1,
    earlier: 0,
    nowMs: Date.UTC(2026, 10, 21),
    request: Buffer.from('{}'),
    host: '127.0.0.1',
    target: '/',
    headers: {},
    submits: 1,
    ...asked,
  };
}

/** The steps of a fault that is a program, up to a limit, since it may be endless. */
export function stepsOf(
  fault: Fault,
  given: NativeAnswer,
  asked: Partial<FaultContext> = {},
  max = 10_000,
): Step[] {
  if (fault.kind !== 'wire') throw new Error(`${fault.id} is no program`);
  const steps = fault.steps(given, contextFor(given, asked)) ?? [];
  const taken: Step[] = [];
  for (const step of steps) {
    if (taken.push(step) >= max) break;
  }
  return taken;
}

/** The answer after the fault has edited it. */
export function edited(fault: Fault, given: NativeAnswer, asked: Partial<FaultContext> = {}): NativeAnswer {
  if (fault.kind !== 'edit') throw new Error(`${fault.id} does not edit`);
  return fault.answer(given, contextFor(given, asked));
}

/** The body that the frames form. */
export function bodyOf({ frames }: Pick<NativeAnswer, 'frames'>): Buffer {
  return Buffer.concat(frames.map(({ bytes }) => bytes));
}
