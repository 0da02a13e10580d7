import { keyHasher } from '../../../access/hash-key.ts';
import { createKeyRing, type KeyRing } from '../../../access/key-ring.ts';
import { createSeal, type Seal } from '../../../webhooks/seal.ts';
import { newRow } from '../../../webhooks/secret-store.ts';
import { type MemoryFiles, memoryFiles } from '../../memory-files.ts';
import { Random } from '../../random.ts';
import { keyRecords } from '../../test-gateway.ts';
import { allInvariants } from '../invariants/all-invariants.ts';
import type { Planted } from '../planted/planted.ts';
import { Scheduler } from '../scheduler.ts';
import { type Executed, MemoryStore } from '../store/memory-store.ts';
import type { StoreFaults } from '../store/store-line.ts';
import type { CallerRequest } from './caller.ts';
import { Jobs } from './jobs.ts';
import { thinGrant } from './prices.ts';
import { type Scenario, scenarioOf } from './scenario.ts';
import type { Site } from './upstream-client.ts';
import { createUpstreams } from './upstreams.ts';
import { type Invariant, type View, Violation } from './view.ts';

/** How likely a call, or an attempt at an event, goes wrong in bad times and in others. */
const bad = 0.9;
const usual = 0.08;
const quietStore: StoreFaults = { lostBefore: 0, lostAfter: 0, late: 0 };

/** The lock by which a process tells others that it lives. */
function lockOf(process: string): string {
  return `gatecheck instance ${process}`;
}

export interface WorldOptions {
  readonly planted?: Planted | null;
  /** How many of the last events the trace shows. */
  readonly keptLines?: number;
  readonly onExecuted?: (one: Executed | 'begin' | 'commit' | 'rollback') => void;
}

/** Everything outside of the processes: time, the store, upstreams, and what the invariants look at. */
export class World {
  readonly scenario: Scenario;
  readonly planted: Planted | null;
  readonly random: Random;
  readonly scheduler: Scheduler;
  readonly store: MemoryStore;
  readonly jobs: Jobs;
  readonly upstreams: Site;
  readonly files: MemoryFiles;
  readonly keys: KeyRing;
  readonly seal: Seal;
  readonly requests = new Map<string, CallerRequest>();
  readonly blowsMs: number[] = [];
  readonly #invariants: readonly Invariant[] = allInvariants();
  /** How often the tables of an invariant had changed when it was asked last. */
  readonly #seen = new Map<Invariant, number>();
  /** The first thing that went wrong; nothing matters after it. */
  failure: Error | null = null;
  /** Whether a process that lives has seemed to be gone. */
  hasSevered = false;
  /** Processes that live and seem to be gone, and until when others did. */
  readonly #gone = new Set<string>();
  readonly #wasGoneMs = new Map<string, number>();
  /** Whether a process runs; set by whoever runs them. */
  isAlive: (process: string) => boolean = () => false;
  /** Called for each new job of an upstream. */
  onJob: ConstructorParameters<typeof Jobs>[2] = () => {};

  constructor(seed: number, { planted = null, keptLines = 200, onExecuted }: WorldOptions) {
    this.scenario = scenarioOf(seed);
    this.planted = planted;
    this.random = new Random(seed ^ 0x5eed);
    this.scheduler = new Scheduler(this.random, keptLines);
    this.store = new MemoryStore({
      now: () => this.scheduler.nowMs,
      onCommit: () => this.#committed(),
      onLockLost: (name) => this.#lockLost(name),
      ...(onExecuted !== undefined && { onExecuted }),
    });
    planted?.store?.(this.store);
    this.jobs = new Jobs(
      this.random,
      () => this.scheduler.nowMs,
      (job) => this.onJob(job),
    );
    this.upstreams = createUpstreams({
      random: this.random,
      jobs: this.jobs,
      badness: (host) => this.badness(host),
      now: () => this.scheduler.nowMs,
    });
    this.upstreams.calls.watches.push({
      began: (call) => this.check((invariant, view) => invariant.began?.(call, view)),
      ended: (call) => this.check((invariant, view) => invariant.ended?.(call, view)),
    });
    this.files = memoryFiles(() => this.random.id());
    this.seal = createSeal(this.scenario.config.key_pepper);
    this.keys = createKeyRing(keyRecords(this.scenario.config), keyHasher(this.scenario.config.key_pepper));
    this.#fillStore();
  }

  get view(): View {
    const { scenario, requests, blowsMs, hasSevered } = this;
    return {
      ...{ scenario, requests, blowsMs, hasSevered },
      tables: this.store.tables,
      nowMs: this.scheduler.nowMs,
      calls: this.upstreams.calls,
      jobs: this.jobs.made,
      seemedGoneMs: (process) =>
        this.#gone.has(process) ? this.scheduler.nowMs : (this.#wasGoneMs.get(process) ?? null),
    };
  }

  get isHealed(): boolean {
    return this.scheduler.sinceMs >= this.scenario.healedAtMs;
  }

  get storeFaults(): StoreFaults {
    return this.isHealed ? quietStore : this.scenario.storeFaults;
  }

  /** How likely a call at this host fails now; without a host, an attempt at an event. */
  badness(host: string | null): number {
    if (this.isHealed) return 0;
    const atMs = this.scheduler.sinceMs;
    const isBad = this.scenario.badTimes.some(
      (time) => time.host === host && time.fromMs <= atMs && atMs < time.toMs,
    );
    return isBad ? bad : host === null ? 0.3 : usual;
  }

  /** Asks every invariant. What it throws ends the simulation, and nobody catches it before. */
  check(ask: (invariant: Invariant, view: View) => void): void {
    if (this.failure !== null) return;
    const { view } = this;
    for (const invariant of this.#invariants) {
      try {
        ask(invariant, view);
      } catch (error) {
        this.fail(error instanceof Violation ? new Violation(`${invariant.name}: ${error.message}`) : error);
        return;
      }
    }
  }

  #committed(): void {
    // Others may have its lock meanwhile, for as long as they free what it left.
    for (const process of this.#gone) {
      if (this.store.lockedBy(lockOf(process)) !== process) continue;
      this.#gone.delete(process);
      this.#wasGoneMs.set(process, this.scheduler.nowMs);
    }
    this.check((invariant, view) => {
      if (invariant.committed === undefined) return;
      const tables = invariant.reads?.(view.tables) ?? [];
      const changes = tables.reduce((sum, table) => sum + table.changes, 0);
      if (this.#seen.get(invariant) === changes) return;
      this.#seen.set(invariant, changes);
      invariant.committed(view);
    });
  }

  fail(error: unknown): void {
    this.failure ??= error instanceof Error ? error : new Error(String(error));
  }

  /** A process without its lock seems to be gone, as after a kill. */
  #lockLost(name: string): void {
    const process = name.slice(lockOf('').length);
    if (!this.isAlive(process)) return;
    this.scheduler.note(`${process} seems to be gone`);
    this.blowsMs.push(this.scheduler.nowMs);
    this.hasSevered = true;
    this.#gone.add(process);
  }

  #fillStore(): void {
    const { tables } = this.store;
    for (const account of this.scenario.config.accounts) {
      const { id, prepaid, overdraft, monthly_tokens: monthlyTokens } = account;
      tables.accounts.set(id, {
        id,
        prepaid,
        overdraft,
        monthlyTokens: monthlyTokens === null ? null : BigInt(monthlyTokens),
      });
      const secret = `whsec_${Buffer.alloc(32, id).toString('base64')}`;
      tables.secrets.set(id, newRow(id, 'whs_first', secret, this.scheduler.nowMs, this.seal));
    }
    const entry = { transferId: 'grant:thin:first', kind: 'grant', accountId: 'thin', requestId: null };
    tables.entries.set('grant:thin:first credits', { ...entry, book: 'credits', amount: thinGrant });
    tables.entries.set('grant:thin:first grants', { ...entry, book: 'grants', amount: -thinGrant });
    tables.balances.set('thin', { posted: thinGrant, held: 0n });
    tables.journal.forget();
  }
}
