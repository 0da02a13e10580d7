import type { Reply } from 'gatecheck-simulators/client';
import type { JsonObject } from '../../engine/requests.ts';
import type { Scene } from '../../engine/scene.ts';
import type { FaultCell, FaultFacts } from '../../oracle/faults/fault-facts.ts';
import type { ScriptedAnswer } from '../../oracle/faults/fault-verdict.ts';

/** Characters of one to four bytes, so that a cut or a split may fall inside one. */
const pieces = [
  'The tide comes in ',
  'twice a day – ',
  'über die Klippen 🌊, ',
  'past the pier, ',
  'and ',
  'out again.',
];

/** Counts that no generated answer has. */
const counts = { prompt_tokens: 1431, completion_tokens: 29 };

type ScriptedCall = ScriptedAnswer['calls'][number];

/** The upstream's answer with the fault: known text and counts, plus the members that the fault needs. */
export function scriptedReply(facts: FaultFacts): { reply: Reply; scripted: ScriptedAnswer } {
  const own = (facts.reply ?? {}) as Partial<Reply> & { readonly tool_calls?: ScriptedCall[] };
  const bare = own.text !== undefined || own.tool_calls !== undefined;
  const reply: Reply = { ...(bare ? {} : { deltas: pieces }), usage: counts, ...own };
  const text = own.text ?? (own.deltas ?? (bare ? [] : pieces)).join('');
  return { reply, scripted: { text, usage: own.usage ?? counts, calls: own.tool_calls ?? [] } };
}

/** The same answer without the fault. */
export function goodReply(): { reply: Reply; scripted: ScriptedAnswer } {
  return {
    reply: { deltas: pieces, usage: counts },
    scripted: { text: pieces.join(''), usage: counts, calls: [] },
  };
}

/** The script member that sets the fault. */
export function faultMember(facts: FaultFacts, cell: FaultCell): Pick<Reply, 'fault'> {
  return { fault: { id: facts.id, ...(cell.form === null ? {} : { form: cell.form }) } };
}

/** The request that meets the fault. */
export function requestFor(
  scene: Scene,
  model: string,
  scripted: ScriptedAnswer,
  cell: FaultCell,
): JsonObject {
  const names = [...new Set(scripted.calls.map(({ name }) => name))];
  const tools = names.map((name) => ({
    type: 'function',
    function: { name, description: 'A function.', parameters: { type: 'object' } },
  }));
  return {
    ...scene.minimal(model),
    ...(tools.length === 0 ? {} : { tools }),
    ...(cell.call === 'stream' ? { stream: true } : {}),
  };
}
