import type { CallKind, DialectName, DialectVersion } from '../answers/native-answer.ts';
import type { ScriptedFault } from '../control/protocol.ts';
import type { Fault } from '../fault-contract/fault.ts';
import { factsOf, formsIn, misfitOf } from '../fault-contract/known-faults.ts';
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

/** Whether the fault is a program over the connection, with its own waits and ending. */
export function isProgram({ id }: ScriptedFault): boolean {
  const kind = byId.get(id)?.kind;
  return kind === 'hijack' || kind === 'wire';
}

/** A fault and its form, or why it does not apply to such a call. */
export type FoundFault =
  | { readonly ok: true; readonly fault: Fault; readonly form: string | null }
  | { readonly ok: false; readonly misfit: string };

/** Without a form, a fault takes the first of its version. */
export function findFault(
  scripted: ScriptedFault,
  dialect: DialectName,
  call: CallKind,
  version: DialectVersion,
): FoundFault {
  const { id, form = firstForm(id, dialect, version) } = scripted;
  const misfit = misfitOf(scripted, dialect, call);
  if (misfit !== null) return { ok: false, misfit };
  const fault = byId.get(id);
  if (fault === undefined) return { ok: false, misfit: `there is no fault ${id}` };
  return { ok: true, fault, form };
}

function firstForm(id: string, dialect: DialectName, version: DialectVersion): string | null {
  const facts = factsOf(id);
  const formerly =
    version === 'previous' && facts !== undefined && 'former' in facts ? facts.former : undefined;
  return formerly ?? (facts === undefined ? null : (formsIn(facts, dialect)[0] ?? null));
}
