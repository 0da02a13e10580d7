import type { Owner } from '../scheduler.ts';
import { dueStatements } from './due-statements.ts';
import { eventStatements } from './event-statements.ts';
import { AdvisoryLocks, instanceStatements } from './instance-statements.ts';
import { leaseStatements } from './lease-statements.ts';
import { ledgerStatements } from './ledger-statements.ts';
import type { Statement, StatementResult } from './statement.ts';
import { createTables, type Tables } from './tables.ts';
import { taskStatements } from './task-statements.ts';

/** A statement that the store has executed. */
export interface Executed {
  readonly text: string;
  readonly params: readonly unknown[];
  readonly nowMs: number;
  readonly name: string;
  readonly result: StatementResult | { readonly error: unknown };
}

export interface MemoryStoreParts {
  readonly now: () => number;
  /** Called after each commit, with what was committed. */
  readonly onCommit: (what: string) => void;
  /** Called when an advisory lock is free because its session has ended. */
  readonly onLockLost: (name: string) => void;
  /** Called for each statement, and for `begin`, `commit` and `rollback`. */
  readonly onExecuted?: (one: Executed | 'begin' | 'commit' | 'rollback') => void;
}

/** A statement of the model, and its text with single spaces. */
interface Found {
  readonly text: string;
  readonly statement: Statement;
}

/** The gateway sent a statement that the model does not know: it has to be told what that does. */
export class UnknownStatement extends Error {
  override name = 'UnknownStatement';
}

/**
 * A model of the store in memory: each statement of the gateway by what it does, with transactions that exclude each
 * other. What is committed survives every process. `store-agreement.test.ts` compares it with the real database.
 */
export class MemoryStore {
  readonly tables: Tables = createTables();
  readonly #parts: MemoryStoreParts;
  readonly #locks = new AdvisoryLocks();
  #statements: readonly Statement[];
  readonly #known = new Map<string, Found>();
  #sessions = 0;
  /** Whose each session is. */
  readonly #owners = new Map<number, Owner>();
  /** The session whose transaction is open. */
  #transaction: number | null = null;
  #waiting: (() => void)[] = [];

  constructor(parts: MemoryStoreParts) {
    this.#parts = parts;
    this.#statements = [
      ...ledgerStatements,
      ...taskStatements,
      ...eventStatements,
      ...dueStatements,
      ...leaseStatements,
      ...instanceStatements(this.#locks),
    ];
  }

  /** Changes what a statement does, for a planted bug. */
  replace(name: string, change: (statement: Statement) => Statement): void {
    this.#statements = this.#statements.map((one) => (one.name === name ? change(one) : one));
  }

  /** Opens a session and returns its number. */
  connect(owner: Owner): number {
    this.#sessions += 1;
    this.#owners.set(this.#sessions, owner);
    return this.#sessions;
  }

  /** Whose session has the advisory lock of this name; null if none has. */
  lockedBy(name: string): Owner | null {
    const session = this.#locks.sessionOf(name);
    return session === null ? null : (this.#owners.get(session) ?? null);
  }

  /** Ends a session: its transaction is undone, its locks are free. */
  disconnect(session: number): void {
    if (this.#transaction === session) this.rollback(session);
    for (const name of this.#locks.endOf(session)) this.#parts.onLockLost(name);
    this.#owners.delete(session);
  }

  /** Runs `act` as soon as no other session has a transaction open. */
  whenFree(session: number, act: () => void): void {
    if (this.#transaction === null || this.#transaction === session) act();
    else this.#waiting.push(() => this.whenFree(session, act));
  }

  begin(session: number): void {
    this.#transaction = session;
    this.#parts.onExecuted?.('begin');
  }

  commit(session: number): void {
    this.#endTransaction(session, 'commit');
    // Before anybody else begins: his rollback must not undo it.
    this.#committed('transaction');
    this.#goOn();
  }

  rollback(session: number): void {
    this.tables.journal.backTo(0);
    this.#endTransaction(session, 'rollback');
    this.#goOn();
  }

  /** Executes a statement, and commits it unless a transaction is open. Throws what the database would answer. */
  execute(session: number, sqlText: string, params: readonly unknown[]): StatementResult {
    const { text, statement } = this.#find(sqlText);
    const nowMs = this.#parts.now();
    const point = this.tables.journal.length;
    const said = { text: sqlText, params, nowMs, name: statement.name };
    try {
      const result = statement.run({ tables: this.tables, text, params, nowMs, session });
      this.#parts.onExecuted?.({ ...said, result });
      if (this.#transaction === null) this.#committed(statement.name);
      return result;
    } catch (error) {
      this.tables.journal.backTo(point);
      this.#parts.onExecuted?.({ ...said, result: { error } });
      throw error;
    }
  }

  /** What the model calls the statement of this text. Throws UnknownStatement. */
  nameOf(sqlText: string): string {
    return this.#find(sqlText).statement.name;
  }

  #find(sqlText: string): Found {
    const known = this.#known.get(sqlText);
    if (known !== undefined) return known;
    const text = sqlText.replace(/\s+/g, ' ').trim();
    const statement = this.#statements.find(({ matches }) => matches.test(text));
    if (statement === undefined) {
      throw new UnknownStatement(
        `gateway/testing/simulation/store does not know what this statement does: ${text}`,
      );
    }
    const found: Found = { text, statement };
    this.#known.set(sqlText, found);
    return found;
  }

  #endTransaction(session: number, how: 'commit' | 'rollback'): void {
    if (this.#transaction !== session) throw new Error(`session ${session} has no transaction to ${how}`);
    this.#transaction = null;
    this.#parts.onExecuted?.(how);
  }

  #goOn(): void {
    for (const go of this.#waiting.splice(0)) go();
  }

  #committed(what: string): void {
    this.tables.journal.forget();
    this.#parts.onCommit(what);
  }
}
