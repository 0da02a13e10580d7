import type { Slots } from '../../access/slots.ts';
import type { AuditTrail } from '../../admin/audit-trail.ts';
import type { ChangeDeps } from '../../admin/changing.ts';
import type { Ledger } from '../../billing/ledger.ts';
import type { LedgerReader } from '../../billing/ledger-reader.ts';
import type { UsageReader } from '../../billing/usage-reader.ts';
import type { Clock } from '../../clock.ts';
import type { Channels } from '../../routing/channels.ts';
import type { Tasks } from '../../services/tasks/tasks.ts';
import type { Webhooks } from '../../webhooks/webhooks.ts';

/** What admin routes read and change. */
export interface Administration extends ChangeDeps {
  readonly audit: AuditTrail;
  /** Called with the error when a line of the audit trail could not be completed. */
  readonly onAuditFailure: (cause: unknown) => void;
  readonly ledger: Pick<Ledger, 'grant' | 'correct'>;
  readonly ledgerReader: LedgerReader;
  readonly usageReader: UsageReader;
  readonly channels: Channels;
  readonly slots: Pick<Slots, 'all'>;
  readonly tasks: Pick<Tasks, 'findAny' | 'search'>;
  readonly webhooks: Omit<Webhooks, 'idle'>;
  /** How long an old secret still signs after a new one was made, unless a request sets another time. */
  readonly webhookOverlapMs: number;
  /** The URL at which callers read a kept file. */
  readonly linkTo: (file: string) => string;
  readonly clock: Clock;
}
