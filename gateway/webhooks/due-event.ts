import { sql } from 'kysely';
import type { Claimed, DueTable } from '../work/due-rows.ts';
import { urlOf } from './stored-event.ts';

/** An event that is due. Its share, the unit in which capacity is counted, is its receiver. */
export interface DueEvent extends Claimed {
  readonly accountId: string;
  readonly url: string;
  readonly body: string;
  /** Number of scheduled attempts before this one. */
  readonly made: number;
  /** The generation at the claim. If the row has another one, a redelivery was requested since then. */
  readonly generation: number;
  readonly isManual: boolean;
}

interface Stored {
  readonly account_id: string;
  readonly url: string;
  readonly body: string;
  readonly place: number;
  readonly generation: number;
  readonly is_manual: boolean;
}

export const eventAttempts: DueTable<Stored, DueEvent> = {
  name: 'webhook_events',
  share: () => sql`receiver`,
  shareChangesAt: null,
  timesBeside: [],
  columns: sql`id, account_id, url, body, place, generation, is_manual`,
  read: ({ account_id: accountId, url, body, generation, place: made, is_manual: isManual }, claim) => ({
    ...claim,
    body,
    generation,
    accountId,
    url: urlOf(url),
    made,
    isManual,
  }),
};
