import type { ColumnType, Generated } from 'kysely';

export const auditOutcomes = ['done', 'unknown'] as const;
export type AuditOutcome = (typeof auditOutcomes)[number];

/** A change requested by an administrator. */
export interface AdminAuditTable {
  id: Generated<bigint>;
  at: Date;
  /** The name of the token. */
  token: string;
  method: string;
  path: string;
  resource: string;
  resource_id: string | null;
  account_id: string | null;
  request_id: string;
  /** The fields of the request body. */
  changes: ColumnType<Readonly<Record<string, unknown>>, string, never>;
  outcome: AuditOutcome;
}
