import type { CallKind, DialectName } from '../answers/native-answer.ts';
import type { ScriptedFault } from '../control/protocol.ts';
import {
  type CallbackFaultFacts,
  type FaultFacts,
  type JobFaultFacts,
  loadFacts,
  loadJobFacts,
  loadWebhookFacts,
  type WebhookFaultFacts,
} from '../fault-contract/facts.ts';
import type { Fault } from '../fault-contract/fault.ts';
import { jobFaults } from './jobs/job-faults.ts';
import { protocolFaults } from './protocol/protocol-faults.ts';
import { semanticFaults } from './semantic/semantic-faults.ts';
import { statusFaults } from './status/status-faults.ts';
import { streamFaults } from './stream/stream-faults.ts';
import { transportFaults } from './transport/transport-faults.ts';
import { webhookFaults } from './webhooks/webhook-faults.ts';

/** Every fault that a script can arm. */
export const faults: readonly Fault[] = [
  ...transportFaults,
  ...statusFaults,
  ...protocolFaults,
  ...streamFaults,
  ...semanticFaults,
  ...jobFaults,
  ...webhookFaults,
];

const byId: ReadonlyMap<string, Fault> = new Map(faults.map((fault) => [fault.id, fault]));

/** The facts of every fault of a call, those at doors and in scenarios included. */
export const faultFacts: ReadonlyMap<string, FaultFacts> = loadFacts();

/** The facts of every fault of a job. */
export const jobFaultFacts: ReadonlyMap<string, JobFaultFacts> = loadJobFacts();

/** The facts of every fault of what upstreams report and of those who receive our events. */
export const webhookFaultFacts: ReadonlyMap<string, WebhookFaultFacts> = loadWebhookFacts();

/** The whole catalogue, in its order. */
export const allFaultFacts: readonly (FaultFacts | JobFaultFacts | WebhookFaultFacts)[] = [
  ...faultFacts.values(),
  ...jobFaultFacts.values(),
  ...webhookFaultFacts.values(),
];

/** What is known of a fault that befalls requests; of one at receivers nothing. */
function factsOf(id: string): FaultFacts | JobFaultFacts | CallbackFaultFacts | undefined {
  const facts = faultFacts.get(id) ?? jobFaultFacts.get(id) ?? webhookFaultFacts.get(id);
  return facts === undefined || 'receiver' in facts ? undefined : facts;
}

/** What is wrong with a scripted fault: the member, and one sentence. Null when it can be armed. */
export function refuseFault({ id, form }: ScriptedFault): { member: 'id' | 'form'; message: string } | null {
  const { door, scenario } = faultFacts.get(id) ?? {};
  if (door !== undefined) {
    return { member: 'id', message: `${id} is met at the door ${door} and cannot be armed` };
  }
  if (scenario !== undefined) {
    return { member: 'id', message: `${id} is the scenario ${scenario} and cannot be armed` };
  }
  const atReceiver = webhookFaultFacts.get(id);
  if (atReceiver !== undefined && 'receiver' in atReceiver) {
    const where = 'a receiver of events, which is behind the gateway';
    return { member: 'id', message: `${id} is met at ${where}, and cannot be armed: ${atReceiver.receiver}` };
  }
  const facts = factsOf(id);
  if (facts === undefined || !byId.has(id)) {
    return { member: 'id', message: `there is no fault ${id}; GET /faults lists those there are` };
  }
  if (form === undefined || facts.forms?.includes(form)) return null;
  const known = facts.forms === undefined ? 'has no forms' : `has the forms ${facts.forms.join(', ')}`;
  return { member: 'form', message: `${id} ${known}` };
}

/** Whether the fault is a program over the connection, which has its own ways to wait and to end. */
export function isProgram({ id }: ScriptedFault): boolean {
  const kind = byId.get(id)?.kind;
  return kind === 'hijack' || kind === 'wire';
}

/** An armed fault, or why the one that was scripted does not exist for such a call. */
export type FoundFault =
  | { readonly ok: true; readonly fault: Fault; readonly form: string | null }
  | { readonly ok: false; readonly misfit: string };

export function findFault({ id, form }: ScriptedFault, dialect: DialectName, call: CallKind): FoundFault {
  const [fault, facts] = [byId.get(id), factsOf(id)];
  if (fault === undefined || facts === undefined) return { ok: false, misfit: `there is no fault ${id}` };
  const dialects: readonly DialectName[] = facts.dialects;
  if (!dialects.includes(dialect)) {
    return { ok: false, misfit: `${id} does not exist in ${dialect}: only in ${dialects.join(', ')}` };
  }
  if (!facts.calls.includes(call)) {
    return { ok: false, misfit: `${id} does not exist in ${call} calls: only in ${facts.calls.join(', ')}` };
  }
  return { ok: true, fault, form: form ?? facts.forms?.[0] ?? null };
}
