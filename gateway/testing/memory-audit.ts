import type { AuditEntry, AuditLine, AuditTrail } from '../admin/audit-trail.ts';

/** An audit trail in memory, for gateways without a database; it returns all rows, whatever the filter. */
export function memoryAudit(): AuditTrail {
  let lines: readonly AuditEntry[] = [];
  let last = 0n;
  const add = (line: AuditLine, outcome: AuditEntry['outcome']): bigint => {
    last += 1n;
    lines = [{ ...line, id: last, outcome }, ...lines];
    return last;
  };
  return {
    write: async (_trx, line) => void add(line, 'done'),
    begin: async (line) => add(line, 'unknown'),
    done: async (id, subject) => {
      lines = lines.map((line) => (line.id === id ? { ...line, ...subject, outcome: 'done' } : line));
    },
    drop: async (id) => {
      lines = lines.filter((line) => line.id !== id);
    },
    search: async (_filter, limit) => lines.slice(0, limit),
  };
}
