import type { CallKind, DialectName } from '../answers/native-answer.ts';
import type {
  CallbackFaultFacts,
  FaultFacts,
  JobFaultFacts,
  WebhookFaultFacts,
} from '../control/fault-facts.ts';
import type { ScriptedFault } from '../control/protocol.ts';
import { loadFacts, loadJobFacts, loadWebhookFacts } from './load-facts.ts';

/** The facts of every fault of a call, including those of broken listeners and of scenarios. */
export const faultFacts: ReadonlyMap<string, FaultFacts> = loadFacts();

/** The facts of every fault of a job. */
export const jobFaultFacts: ReadonlyMap<string, JobFaultFacts> = loadJobFacts();

/** The facts of every fault of an upstream's callbacks and of receivers of the gateway's events. */
export const webhookFaultFacts: ReadonlyMap<string, WebhookFaultFacts> = loadWebhookFacts();

/** The whole catalogue, in its order. */
export const allFaultFacts: readonly (FaultFacts | JobFaultFacts | WebhookFaultFacts)[] = [
  ...faultFacts.values(),
  ...jobFaultFacts.values(),
  ...webhookFaultFacts.values(),
];

const idsByWord: ReadonlyMap<string, string> = new Map(
  allFaultFacts.flatMap(({ id, name }) =>
    [id, name].map((word): [string, string] => [word.toLowerCase(), id]),
  ),
);

/** The id of a fault, found by id or by name. An unknown word is returned unchanged. */
export function faultIdOf(word: string): string {
  return idsByWord.get(word.toLowerCase()) ?? word;
}

/** The facts of a request fault. Faults of receivers are not found here. */
export function factsOf(id: string): FaultFacts | JobFaultFacts | CallbackFaultFacts | undefined {
  const facts = faultFacts.get(id) ?? jobFaultFacts.get(id) ?? webhookFaultFacts.get(id);
  return facts === undefined || 'receiver' in facts ? undefined : facts;
}

/** The error of a scripted fault: the member, and one sentence. Null if the fault is valid. */
export function refuseFault({ id, form }: ScriptedFault): { member: 'id' | 'form'; message: string } | null {
  const { listener, scenario } = faultFacts.get(id) ?? {};
  if (listener !== undefined) {
    return {
      member: 'id',
      message: `${id} is not set: send requests to the listener ${listener} of a started process (npx gatecheck-simulators prints its address)`,
    };
  }
  if (scenario !== undefined) {
    return { member: 'id', message: `${id} is not a single fault: start the scenario ${scenario}` };
  }
  const atReceiver = webhookFaultFacts.get(id);
  if (atReceiver !== undefined && 'receiver' in atReceiver) {
    const where = 'a receiver of events, which is behind the gateway';
    return { member: 'id', message: `${id} is met at ${where}, and cannot be set: ${atReceiver.receiver}` };
  }
  const facts = factsOf(id);
  if (facts === undefined) {
    return {
      member: 'id',
      message: `there is no fault ${id}${alike(id)}; docs/fault-list.md and GET /faults list all`,
    };
  }
  if (form === undefined || facts.forms?.includes(form)) return null;
  const known = facts.forms === undefined ? 'has no forms' : `has the forms ${facts.forms.join(', ')}`;
  return { member: 'form', message: `${id} ${known}` };
}

/** A question that suggests names with a word in common with an unknown name. */
function alike(typed: string): string {
  const words = typed.toLowerCase().match(/[a-z]{3,}/g) ?? [];
  const names = allFaultFacts.flatMap(({ name }) =>
    words.some((word) => name.includes(word)) ? [name] : [],
  );
  return names.length === 0 ? '' : ` (did you mean ${names.slice(0, 6).join(', ')}?)`;
}

/** The forms that a fault has in a dialect; null for its only one. */
export function formsIn(
  { forms, except = [] }: Pick<FaultFacts | JobFaultFacts, 'forms' | 'except'>,
  dialect: DialectName,
): readonly (string | null)[] {
  if (forms === undefined) return [null];
  const missing = except.filter(({ dialects }) => dialects.includes(dialect)).flatMap((one) => one.forms);
  return forms.filter((form) => !missing.includes(form));
}

/** Why the fault does not exist in the dialect, for this kind of call, or in this form; null if it exists. */
export function misfitOf({ id, form }: ScriptedFault, dialect: DialectName, call: CallKind): string | null {
  const facts = factsOf(id);
  if (facts === undefined) return `there is no fault ${id}`;
  const dialects: readonly DialectName[] = facts.dialects;
  if (!dialects.includes(dialect))
    return `${id} does not exist in ${dialect}: only in ${dialects.join(', ')}`;
  if (!facts.calls.includes(call))
    return `${id} does not exist in ${call} calls: only in ${facts.calls.join(', ')}`;
  const forms = formsIn(facts, dialect);
  if (form === undefined || forms.includes(form)) return null;
  return `${id} has no form ${form} in ${dialect}: take ${forms.join(', ')}`;
}
