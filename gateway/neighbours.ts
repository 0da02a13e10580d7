import type { Kysely } from 'kysely';
import { createChangesElsewhere } from './access/changes-elsewhere.ts';
import type { SlotRecall } from './access/kept-slots.ts';
import { recallByNotice } from './access/recall-by-notice.ts';
import { RealClock } from './clock.ts';
import { createOutcomesElsewhere, type OutcomesElsewhere } from './routing/outcomes-elsewhere.ts';
import type { Database } from './store/database.ts';
import type { Notices } from './store/notices.ts';

/** What a process shares with the others on its database server, beside the data. */
export interface Neighbours {
  /** Asks them for slots that they only keep. */
  readonly slotRecall: SlotRecall | null;
  /** Tells them how calls end, and hears it of theirs; null where there are none. */
  readonly outcomes: OutcomesElsewhere | null;
  /** Has committed changes take effect here, by `reload`, and in every other process. */
  readonly everywhere: (reload: () => Promise<void>) => () => Promise<void>;
}

export interface NeighboursDeps {
  readonly db: Kysely<Database>;
  /** Null where there is but one process. */
  readonly notices: Notices | null;
  readonly instances: { readonly own: string } | null;
}

/** The other processes on a database server; nobody where it belongs to one process. */
export function createNeighbours({ db, notices, instances }: NeighboursDeps): Neighbours {
  if (notices === null || instances === null)
    return { slotRecall: null, outcomes: null, everywhere: (reload) => reload };
  const { own } = instances;
  return {
    slotRecall: recallByNotice(db, notices, own),
    outcomes: createOutcomesElsewhere(db, notices, own),
    everywhere: (reload) => {
      const elsewhere = createChangesElsewhere({ db, notices, own, reload, timer: new RealClock() });
      return async () => {
        await Promise.all([reload(), elsewhere.takeUp()]);
      };
    },
  };
}
