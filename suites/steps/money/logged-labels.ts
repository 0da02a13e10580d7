import { isDeepStrictEqual } from 'node:util';
import type { UsageRecord } from '../../engine/usage-record.ts';
import { flag } from '../../rules/violation.ts';
import type { Exchange } from '../../wire/exchange.ts';

/** What a caller says of a request; empty where it says nothing. */
export interface Labels {
  readonly user?: string;
  readonly metadata?: Readonly<Record<string, string>>;
}

/** Judges that the record of a request has its labels, as far as the usage log shows such members ("Chat request"). */
export function judgeLabels(record: UsageRecord, { user, metadata }: Labels, exchange: Exchange): void {
  const seen = { exchange, actual: JSON.stringify(record) };
  flag(record.end_user === undefined || record.end_user === user, {
    ...{ requirement: 'CHAT-042', aspect: 'in-every-log', ...seen },
    expected: `a record in the usage log with user ${user}`,
  });
  flag(record.metadata === undefined || isDeepStrictEqual(record.metadata, metadata), {
    ...{ requirement: 'CHAT-047', aspect: 'whole-in-log', ...seen },
    expected: `a record in the usage log with all metadata: ${JSON.stringify(metadata)}`,
  });
}
