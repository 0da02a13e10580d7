import { type AnswerKind, answerKinds } from '../../answers/native-answer.ts';
import type { FaultFacts } from '../../control/fault-facts.ts';
import type { Reply } from '../../control/protocol.ts';
import { formsIn } from '../../fault-contract/known-faults.ts';
import type { ClientRig } from './client-rig.ts';
import type { Bench } from './harness.ts';
import { brief, type Outcome, ordinary, outcomeOf } from './outcome.ts';

/** One combination of fault, form and call. */
export interface Meeting {
  readonly facts: FaultFacts;
  readonly call: AnswerKind;
  readonly form: string | null;
  /** Its name in the table. */
  readonly name: string;
}

/** The outcome, and the status that the upstream sent (null if none). */
export interface Met {
  readonly outcome: Outcome;
  readonly sent: number | null;
}

/** Every single-call fault of the rig's dialect. Outages over time have their own tests. */
export function meetingsOf(rig: ClientRig, faults: Iterable<FaultFacts>): Meeting[] {
  return [...faults]
    .filter(({ dialects, scenario, http }) => {
      return dialects.includes(rig.dialect) && scenario === undefined && http !== 2;
    })
    .flatMap((facts) =>
      formsIn(facts, rig.dialect).flatMap((form) =>
        answerKinds
          .filter((call) => facts.calls.includes(call))
          .map((call) => {
            const name = [facts.id, form, call].filter((part) => part !== null).join(' ');
            return { facts, call, form, name };
          }),
      ),
    );
}

/** Whether only a timeout of the client or the caller ends it. */
function isEndless({ facts }: Meeting): boolean {
  return facts.verdict.deadline !== null || ['T10', 'T11'].includes(facts.id);
}

/** Whether the call idles for seconds. Such calls run in parallel. */
export function isLasting(meeting: Meeting): boolean {
  return isEndless(meeting) || meeting.facts.id === 'S29';
}

/** With characters of one to four bytes, in more pieces than most faults let through. */
const pieces: readonly string[] = ['Ebb ', 'and flow ', 'über ', 'die 🌊', ' – ', 'every day.'];

/** The usage that the upstream is scripted to report. No generated answer has these counts. */
function scriptedReply({ reply = {} }: FaultFacts, { plays }: ClientRig): Reply {
  const own = reply as Reply;
  const isBare = own.text !== undefined || own.tool_calls !== undefined;
  const usage = { prompt_tokens: 1431, completion_tokens: 29 };
  const version = plays === undefined ? {} : { version: plays };
  return { ...(isBare ? {} : { deltas: [...pieces] }), usage, ...version, ...own };
}

/** The complete text that the upstream is scripted to send. */
export function textOf({ text, deltas = [] }: Reply): string {
  return text ?? deltas.join('');
}

/** Runs one call with the fault, in a new tenant. */
export async function meetFault(bench: Bench, rig: ClientRig, meeting: Meeting): Promise<Met> {
  const { facts, call, form, name } = meeting;
  const timeouts = isEndless(meeting) ? brief : ordinary;
  const scope = name.replaceAll(/[ _]/g, '-');
  const scripted = scriptedReply(facts, rig);
  const ask = (origin: string): Promise<Outcome> => outcomeOf(rig, call, origin, textOf(scripted), timeouts);
  if (facts.listener !== undefined) {
    return { outcome: await ask(listenerOf(bench, facts.listener, form, scope)), sent: null };
  }
  const tenant = bench.control.tenant(scope);
  const fault = form === null ? { id: facts.id } : { id: facts.id, form };
  const origin = bench.origin(scope);
  // T9 affects only every other request, on a connection that has been used.
  const earlier = facts.id === 'T9' ? [scripted, scripted] : [];
  // The fault applies once. A client that follows a redirect gets an ordinary answer.
  await tenant.script({ replies: [...earlier, { ...scripted, fault }, scripted] });
  for (const _ of earlier) await outcomeOf(rig, 'plain', origin, '');
  const outcome = await ask(origin);
  const { entries } = await tenant.journal();
  await tenant.reset();
  const [misfit] = entries.flatMap(({ reply }) => reply.fault?.misfit ?? []);
  if (misfit !== undefined) throw new Error(misfit);
  return { outcome, sent: entries[earlier.length]?.reply.status ?? null };
}

/** A broken listener may have one address per form. */
function listenerOf(bench: Bench, name: string, form: string | null, scope: string): string {
  const origin = bench.brokenListeners[form === null ? name : `${name}-${form}`];
  if (origin === undefined) throw new Error(`there is no broken listener ${name} ${form ?? ''}`);
  return `${origin}/${scope}/alpha`;
}
