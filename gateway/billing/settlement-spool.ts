import type { Logger } from 'pino';
import { beforeDeadline } from '../before-deadline.ts';
import type { Clock } from '../clock.ts';
import { isConnectionFailure } from '../store/connection-failure.ts';
import { inSlices } from '../store/in-slices.ts';
import type { AppliedPriceJson } from '../store/usage-tables.ts';
import { repeat } from '../work/repeat.ts';
import { readPrice, writePrice } from './applied-price.ts';
import type { Ledger } from './ledger.ts';
import type { SpoolFile } from './spool-file.ts';
import { UsageNotKept } from './usage-not-kept.ts';
import type { UsageRecord } from './usage-record.ts';

export interface SpoolParts {
  readonly file: SpoolFile;
  readonly ledger: Pick<Ledger, 'settle'>;
  /** Real time, not the test clock. */
  readonly timer: Pick<Clock, 'schedule' | 'sleep'>;
  readonly log: Pick<Logger, 'info' | 'warn' | 'error'>;
  /** Called with the number of waiting settlements. */
  readonly onWaiting: (count: number) => void;
}

/** Settlements that wait on the disk of this machine while the database is out of reach. */
export interface SettlementSpool {
  /**
   * Settles an answer durably, once per request id. While the database does not answer, the record waits on disk and is
   * settled later. Rejects with UsageNotKept if neither can keep it.
   */
  settle(record: UsageRecord): Promise<void>;
  /** Settles the records left by processes that are gone, and then keeps settling waiting records. */
  open(): Promise<void>;
  /** Tries once more. Records that still wait are left to the next process. */
  close(): Promise<void>;
}

/** An answer waits no longer than this for the database. */
const settleWithinMs = 3_000;
const replayMs = 500;

export function createSettlementSpool({ file, ledger, timer, log, onWaiting }: SpoolParts): SettlementSpool {
  const waiting = new Map(file.left.map(readRecord).map((record) => [record.request_id, record]));
  let isOut = false;
  /** Number of appends in flight. The file must not be emptied before these records are in `waiting`. */
  let appending = 0;

  const goOut = (reason: unknown): void => {
    if (!isOut) log.warn({ cause: reason }, 'the database is out of reach: what answers cost waits on disk');
    isOut = true;
  };
  const keep = async (record: UsageRecord): Promise<void> => {
    appending += 1;
    try {
      await file.append(writeRecord(record));
      waiting.set(record.request_id, record);
      onWaiting(waiting.size);
    } catch (error) {
      throw new UsageNotKept(record, error);
    } finally {
      appending -= 1;
    }
  };
  /** Whether the record was settled; false if the database is unreachable. Throws if the record itself is at fault. */
  const tryToSettle = async (record: UsageRecord): Promise<boolean> => {
    try {
      const settled = await beforeDeadline(timer, settleWithinMs, () => ledger.settle(record));
      if (settled !== null) return true;
      goOut(`no answer for ${settleWithinMs} ms`);
    } catch (error) {
      if (!(error instanceof UsageNotKept && isConnectionFailure(error.cause))) throw error;
      goOut(error.cause);
    }
    return false;
  };
  const replayOne = async (record: UsageRecord): Promise<void> => {
    try {
      if (!(await tryToSettle(record))) return;
    } catch (error) {
      log.error({ err: error }, 'what waited on disk cannot be settled, and is dropped');
    }
    waiting.delete(record.request_id);
  };
  const replay = async (): Promise<void> => {
    const records = [...waiting.values()];
    const [first] = records;
    if (first === undefined) {
      isOut = false;
      return;
    }
    // One record shows whether the database is back; the others would only wait for the same answer.
    await replayOne(first);
    if (waiting.has(first.request_id)) return;
    isOut = false;
    await inSlices(records.slice(1), replayOne);
    onWaiting(waiting.size);
    if (waiting.size > 0 || appending > 0) return;
    await file.clear();
    log.info({ records: records.length }, 'what waited on disk is settled');
  };
  const replaying = repeat(timer, replayMs, replay, (error) => {
    log.warn({ cause: error }, 'what waits on disk could not be read or removed');
  });
  return {
    settle: async (record) => {
      if (isOut || !(await tryToSettle(record))) await keep(record);
    },
    open: async () => {
      await replay();
      replaying.begin();
    },
    close: async () => {
      await replaying.stop();
      await replay().catch(() => {});
      await file.close();
    },
  };
}

const counts = [
  'prompt_tokens',
  'completion_tokens',
  'cached_tokens',
  'cache_write_5m_tokens',
  'cache_write_1h_tokens',
  'charge_pico',
] as const;
type Count = (typeof counts)[number];

type RecordJson = Omit<UsageRecord, Count | 'price'> &
  Record<Count, string> & { readonly price: AppliedPriceJson };

/** A usage record as one line of JSON; whole numbers are digits as text. */
function writeRecord(record: UsageRecord): string {
  const texts = Object.fromEntries(counts.map((name) => [name, record[name].toString()]));
  return JSON.stringify({ ...record, ...texts, price: writePrice(record.price) });
}

/** Reverses `writeRecord`. The text was written by this program, so it is trusted. */
function readRecord(text: string): UsageRecord {
  const stored: RecordJson = JSON.parse(text);
  return {
    ...stored,
    prompt_tokens: BigInt(stored.prompt_tokens),
    completion_tokens: BigInt(stored.completion_tokens),
    cached_tokens: BigInt(stored.cached_tokens),
    cache_write_5m_tokens: BigInt(stored.cache_write_5m_tokens),
    cache_write_1h_tokens: BigInt(stored.cache_write_1h_tokens),
    charge_pico: BigInt(stored.charge_pico),
    price: readPrice(stored.price),
  };
}
