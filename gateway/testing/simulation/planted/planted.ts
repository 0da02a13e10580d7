import type { Slots } from '../../../access/slots.ts';
import type { StoredLedger } from '../../../billing/create-ledger.ts';
import type { Clock } from '../../../clock.ts';
import type { TaskEnds } from '../../../services/tasks/ended-tasks.ts';
import type { TaskWork } from '../../../services/tasks/task-work.ts';
import type { SendEvent } from '../../../webhooks/send-event.ts';
import type { ProcessStore } from '../store/memory-dialect.ts';
import type { MemoryStore } from '../store/memory-store.ts';

/** What a planted bug may need beside what it wraps. */
export interface PlantedParts {
  readonly own: string;
  readonly clock: Clock;
  readonly store: ProcessStore;
  readonly newId: (prefix: string) => string;
}

/** A bug that the simulation has to find: parts of the gateway, wrapped. */
export interface Planted {
  readonly name: string;
  /** A seed that finds it. `simulate.ts --planted` looks for others. */
  readonly foundBy: number;
  /** What the simulation says of it: words of the violation. */
  readonly violates: RegExp;
  readonly ledger?: (ledger: StoredLedger, parts: PlantedParts) => StoredLedger;
  readonly slots?: (slots: Slots, parts: PlantedParts) => Slots;
  readonly work?: (work: TaskWork, parts: PlantedParts) => TaskWork;
  readonly ends?: (ends: TaskEnds, parts: PlantedParts) => TaskEnds;
  readonly send?: (send: SendEvent, parts: PlantedParts) => SendEvent;
  /** Whether leases of processes that are gone are left to lapse, and how long they last. */
  readonly leases?: { readonly areLeft: boolean; readonly lastMs: number };
  /** Changes what a statement does in the store. */
  readonly store?: (store: MemoryStore) => void;
  /** Changes a module for the time of one run; returns how to change it back. */
  readonly install?: () => () => void;
}
