import type { CallKind, DialectName, DialectVersion } from '../answers/native-answer.ts';
import type { ScriptedFault } from '../control/protocol.ts';
import type { Fault } from '../fault-contract/fault.ts';
import { factsOf, formsIn, misfitOf } from '../fault-contract/known-faults.ts';
import { faultModules } from './fault-modules.ts';

const byId: ReadonlyMap<string, Fault> = new Map(
  faultModules
    .flatMap((module) => Object.values(module) as unknown[])
    .filter(isFault)
    .map((fault) => [fault.id, fault]),
);

/** Every fault that a script can name. */
export const faults: readonly Fault[] = [...byId.values()];

function isFault(value: unknown): value is Fault {
  return typeof value === 'object' && value !== null && 'id' in value && 'kind' in value;
}

/** Whether the fault is a program over the connection, with its own waits and ending. */
export function isProgram({ id }: ScriptedFault): boolean {
  const kind = byId.get(id)?.kind;
  return kind === 'hijack' || kind === 'wire' || kind === 'cut';
}

/**
 * Faults that act on an answer regardless of its JSON, and error statuses. The responses dialect supports them, because its
 * errors are those of chat-completions.
 */
const anyJson: ReadonlySet<string> = new Set(
  `T6 T7 T8 T9 T10 T11 T12 T13 T14 T15 T16 T17 T18 T19 H1 H2 H3 H4 H5 H6 H7 H12 H13 H14 H15 H16 H17 H18 H19 H20
  P1 P2 P3 P4 P5 P6 P11 S1 S2 S3 S4 S5 S6 S18 S19 S20 S21`.split(/\s+/),
);

/** A fault and its form, or why it does not apply to the call. */
export type FoundFault =
  | {
      readonly ok: true;
      readonly fault: Fault;
      readonly form: string | null;
      /** The dialect in which the fault acts. */
      readonly dialect: DialectName;
    }
  | { readonly ok: false; readonly misfit: string };

/** The default form is the first one of the version. */
export function findFault(
  scripted: ScriptedFault,
  asked: DialectName,
  call: CallKind,
  version: DialectVersion,
): FoundFault {
  const dialect = asked === 'responses' && anyJson.has(scripted.id) ? 'chat-completions' : asked;
  const { id, form = firstForm(id, dialect, version) } = scripted;
  const misfit = misfitOf(scripted, dialect, call);
  if (misfit !== null) return { ok: false, misfit };
  const fault = byId.get(id);
  if (fault === undefined) return { ok: false, misfit: `there is no fault ${id}` };
  return { ok: true, fault, form, dialect };
}

function firstForm(id: string, dialect: DialectName, version: DialectVersion): string | null {
  const facts = factsOf(id);
  const formerly =
    version === 'previous' && facts !== undefined && 'former' in facts ? facts.former : undefined;
  return formerly ?? (facts === undefined ? null : (formsIn(facts, dialect)[0] ?? null));
}
