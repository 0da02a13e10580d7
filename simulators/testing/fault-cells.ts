import type { FaultFacts } from '../control/fault-facts.ts';
import type { Reply, ScriptedUsage } from '../control/protocol.ts';
import { parseAnswer, rawCall, readChunks } from './raw-call.ts';
import { type Cell, cellsOf } from './send-cell.ts';
import type { TestSimulators } from './simulators.ts';

type Verdict = FaultFacts['verdict'];

/** A fault in one dialect, call and form, with the verdict that holds there. */
export interface FaultCell extends Cell {
  readonly facts: FaultFacts;
  readonly verdict: Verdict;
  /** For the name of a test. */
  readonly title: string;
}

export function faultCells(facts: FaultFacts): FaultCell[] {
  const { exceptions = [] } = facts;
  return cellsOf(facts).map(({ dialect, call, form }): FaultCell => {
    const holding = exceptions.filter(
      (one) =>
        (one.dialects?.includes(dialect) ?? true) &&
        (one.calls?.includes(call) ?? true) &&
        (one.forms === undefined || (form !== null && one.forms.includes(form))),
    );
    const verdict: Verdict = Object.assign({}, facts.verdict, ...holding.map((one) => one.verdict));
    const title = [facts.id, form, dialect, call].filter((part) => part !== null).join(' ');
    return { facts, dialect, call, form, verdict, title };
  });
}

/** Deltas with characters of one to four bytes, more deltas than most faults let through. */
export const scriptedDeltas: readonly string[] = [
  'Ebb ',
  'and flow ',
  'über ',
  'die 🌊',
  ' – ',
  'every day.',
];

/** The scripted reply of an upstream. No generated answer has these counts. */
export function scriptedBy({ reply = {} }: FaultFacts): { reply: Reply; text: string; usage: ScriptedUsage } {
  const own = reply as Reply;
  const isBare = own.text !== undefined || own.tool_calls !== undefined;
  const scripted: Reply = {
    ...(isBare ? {} : { deltas: [...scriptedDeltas] }),
    usage: { prompt_tokens: 1431, completion_tokens: 29 },
    ...own,
  };
  const usage = scripted.usage ?? { prompt_tokens: 0, completion_tokens: 0 };
  return { reply: scripted, text: scripted.text ?? (scripted.deltas ?? []).join(''), usage };
}

/** What arrived over the connection, and how it ended. */
export interface WireAnswer {
  readonly status: number;
  /** Without transfer coding. */
  readonly body: Buffer;
  /** Whether the body is complete to HTTP. */
  readonly isWhole: boolean;
  readonly ended: string;
}

/** Arms the fault in a fresh tenant, makes the call, and reads until the connection ends. */
export async function meetFault(
  simulators: TestSimulators,
  { facts, dialect, call, form }: FaultCell,
): Promise<WireAnswer> {
  const tenant = simulators.tenant();
  const fault = form === null ? { id: facts.id } : { id: facts.id, form };
  await tenant.script({ replies: [{ ...scriptedBy(facts).reply, fault }] });
  const raw = rawCall(simulators.base(tenant.name), { dialect, call });
  const ended = await raw.over;
  const { statusLine, headers, body } = parseAnswer(raw.bytes());
  const status = Number(statusLine.split(' ')[1]);
  if (headers.get('transfer-encoding') !== 'chunked')
    return { status, body, isWhole: ended === 'fin', ended };
  const { chunks, ended: isWhole } = readChunks(body);
  return { status, body: Buffer.concat(chunks), isWhole, ended };
}
