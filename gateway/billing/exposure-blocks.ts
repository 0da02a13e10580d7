import type { Clock } from '../clock.ts';
import type { Pico } from '../money/pico.ts';
import { createBusyCount } from '../work/busy-count.ts';
import type { Hold } from './ledger.ts';

/** Access to the ledger and the clock. */
export interface ExposureBlocksDeps {
  readonly timer: Pick<Clock, 'monotonic' | 'schedule'>;
  readonly newId: () => string;
  /** Holds an amount of an account durably; false if the account cannot spare it. Never rejects. */
  readonly reserve: (blockId: string, accountId: string, amount: Pico) => Promise<boolean>;
  /** Releases the rest of a block. Never rejects. */
  readonly giveBack: (blockId: string) => Promise<void>;
}

/**
 * Credit of busy accounts that this process holds in advance. A covered call needs no hold of its own in the database: the
 * block already holds its maximum cost. Charges reduce the block in memory only. In the database the block stays unchanged
 * until it is released as a whole.
 */
export interface ExposureBlocks {
  /** Whether a block of the account covers a call. Requests a block in the background if the account is busy. */
  admit(hold: Hold): boolean;
  /** Whether a block covers a request that has not ended. */
  covers(requestId: string): boolean;
  /** Reports the end of a covered request, and what it cost. */
  end(requestId: string, charge: Pico): void;
  /** Releases every block. No call may be admitted from then on. */
  close(): Promise<void>;
}

/** An account with this many calls a second is busy. Others get one hold per call, so that their balances stay exact. */
const busyCalls = 64;
/** How often an account is checked again: a change by an administrator takes effect within this time. */
const judgeMs = 1_000;
/** A block that was not renewed for this long covers no new calls. */
const staleMs = 2 * judgeMs;
/** A new block covers this many calls like the one that caused it. */
const firstScale = 64n;
const maxScale = 1n << 20n;
const minScale = 8n;

interface Block {
  readonly id: string;
  readonly reservedAtMs: number;
  /** The amount that is not charged yet. */
  left: Pico;
  /** The maximum cost of the covered calls in flight. */
  inUse: Pico;
  calls: number;
  isRetired: boolean;
}

interface BusyAccount {
  block: Block | null;
  scale: bigint;
  isAsking: boolean;
  /** No block is requested before this time. */
  notBeforeMs: number;
  isUsed: boolean;
}

interface CoveredCall {
  readonly block: Block;
  readonly amount: Pico;
}

export function createExposureBlocks(deps: ExposureBlocksDeps): ExposureBlocks {
  const { timer } = deps;
  const busy = new Map<string, BusyAccount>();
  const calls = new Map<string, CoveredCall>();
  const recent = createBusyCount(timer, busyCalls);
  const pending = new Set<Promise<void>>();
  let sweeping: { cancel(): void } | null = null;
  let isClosed = false;

  const track = (work: Promise<void>): void => {
    pending.add(work);
    void work.finally(() => pending.delete(work));
  };
  const retire = (block: Block): void => {
    if (!block.isRetired && block.calls === 0) track(deps.giveBack(block.id));
    block.isRetired = true;
  };
  const ask = async (accountId: string, account: BusyAccount, amount: Pico): Promise<void> => {
    account.isAsking = true;
    const reservedAtMs = timer.monotonic();
    const size = amount * account.scale;
    const id = deps.newId();
    const isReserved = await deps.reserve(id, accountId, size);
    account.isAsking = false;
    if (account.block !== null) retire(account.block);
    account.block = null;
    if (!isReserved) {
      account.notBeforeMs = timer.monotonic() + judgeMs;
      account.scale = account.scale / 4n > minScale ? account.scale / 4n : minScale;
      return;
    }
    account.block = { id, reservedAtMs, left: size, inUse: 0n, calls: 0, isRetired: false };
    account.isUsed = true;
    if (isClosed) retire(account.block);
    else sweepLater();
  };
  const sweepLater = (): void => {
    sweeping ??= timer.schedule(judgeMs, () => {
      sweeping = null;
      for (const [accountId, account] of busy) {
        if (!account.isUsed && !account.isAsking) {
          if (account.block !== null) retire(account.block);
          busy.delete(accountId);
        }
        account.isUsed = false;
      }
      if (busy.size > 0) sweepLater();
    });
  };
  const find = (accountId: string): BusyAccount | null => {
    const known = busy.get(accountId);
    if (known !== undefined) return known;
    recent.add(accountId);
    if (!recent.isBusy(accountId)) return null;
    const account = { block: null, scale: firstScale, isAsking: false, notBeforeMs: 0, isUsed: true };
    busy.set(accountId, account);
    sweepLater();
    return account;
  };
  return {
    admit: ({ requestId, accountId, amount, overshoots }) => {
      if (calls.has(requestId)) return true;
      if (!overshoots || isClosed) return false;
      const account = find(accountId);
      if (account === null) return false;
      const now = timer.monotonic();
      const { block } = account;
      account.isUsed = true;
      const fits = block !== null && block.left - block.inUse >= amount;
      if (block !== null && !fits && account.scale < maxScale) account.scale *= 2n;
      const isDue = !fits || now - block.reservedAtMs >= judgeMs;
      if (isDue && !account.isAsking && now >= account.notBeforeMs) track(ask(accountId, account, amount));
      if (!fits || now - block.reservedAtMs >= staleMs) return false;
      block.inUse += amount;
      block.calls += 1;
      calls.set(requestId, { block, amount });
      return true;
    },
    covers: (requestId) => calls.has(requestId),
    end: (requestId, charge) => {
      const call = calls.get(requestId);
      if (call === undefined) return;
      calls.delete(requestId);
      const { block, amount } = call;
      block.inUse -= amount;
      block.left = block.left > charge ? block.left - charge : 0n;
      block.calls -= 1;
      if (block.isRetired && block.calls === 0) track(deps.giveBack(block.id));
    },
    close: async () => {
      isClosed = true;
      sweeping?.cancel();
      for (const { block } of busy.values()) if (block !== null) retire(block);
      busy.clear();
      while (pending.size > 0) await Promise.all(pending);
    },
  };
}
