import type { Random } from '../../random.ts';
import type { Owner, Scheduler } from '../scheduler.ts';
import { type MemoryStore, UnknownStatement } from './memory-store.ts';
import type { StatementResult } from './statement.ts';

/** How badly the ways to the store behave, each as a probability for one statement. */
export interface StoreFaults {
  /** The statement never arrives. */
  readonly lostBefore: number;
  /** It is executed, and its answer never arrives. */
  readonly lostAfter: number;
  /** It, or its answer, takes seconds. */
  readonly late: number;
}

export interface StoreLineParts {
  readonly store: MemoryStore;
  readonly scheduler: Scheduler;
  readonly random: Random;
  readonly owner: Owner;
  /** What goes wrong at this time. */
  readonly faults: () => StoreFaults;
  /** Whether a statement may still arrive after its process has died: on a server, not in the process itself. */
  readonly outlivesProcess: boolean;
  /** Reports what is no fault of the simulated world. */
  readonly onDefect: (error: unknown) => void;
}

/** The connection broke: nobody knows what became of the statement. */
class ConnectionLost extends Error {
  override name = 'ConnectionLost';
  readonly code = 'ECONNRESET';
}

const lateMs = 4_000;
/** These end with the session of a dead process. */
const isTransactional = /^(?:begin|commit|rollback)$/;

/** One connection of a process to the store, on which one statement is under way at a time. */
export class StoreLine {
  readonly #parts: StoreLineParts;
  readonly #session: number;
  #isBroken = false;
  #isDead = false;
  #isBusy = false;
  #hasTransaction = false;

  constructor(parts: StoreLineParts) {
    this.#parts = parts;
    this.#session = parts.store.connect(parts.owner);
  }

  get isIdle(): boolean {
    return !this.#isBroken && !this.#isBusy && !this.#hasTransaction;
  }

  execute(text: string, params: readonly unknown[]): Promise<StatementResult> {
    const { store } = this.#parts;
    return this.#send(this.#nameOf(text) + idsIn(params), () => store.execute(this.#session, text, params));
  }

  async begin(): Promise<void> {
    await this.#send('begin', () => this.#parts.store.begin(this.#session));
    this.#hasTransaction = true;
  }

  async commit(): Promise<void> {
    this.#hasTransaction = false;
    await this.#send('commit', () => this.#parts.store.commit(this.#session));
  }

  async rollback(): Promise<void> {
    this.#hasTransaction = false;
    // A broken connection has undone it already.
    if (!this.#isBroken) await this.#send('rollback', () => this.#parts.store.rollback(this.#session));
  }

  close(): void {
    if (!this.#isDead) this.#parts.store.disconnect(this.#session);
  }

  /** The connection breaks while nothing is under way; the next statement notices it. */
  sever(): void {
    this.#isBroken = true;
    this.#parts.store.disconnect(this.#session);
  }

  /** The process has died. What is under way may still arrive. Its session is yet to be closed by {@link hangUp}. */
  kill(): void {
    this.#isDead = true;
  }

  /** Ends the session of a dead process. */
  hangUp(): void {
    this.#parts.store.disconnect(this.#session);
  }

  #nameOf(text: string): string {
    try {
      return this.#parts.store.nameOf(text);
    } catch (error) {
      this.#parts.onDefect(error);
      return 'unknown';
    }
  }

  #send<Result>(name: string, act: () => Result): Promise<Result> {
    const { scheduler, random, owner } = this.#parts;
    if (this.#isBroken) return Promise.reject(new ConnectionLost('the connection is broken'));
    this.#isBusy = true;
    const { promise, resolve, reject } = Promise.withResolvers<Result>();
    const { lostBefore, lostAfter, late } = this.#parts.faults();
    const draw = random.next();
    const isLostAfter = draw >= lostBefore && draw < lostBefore + lostAfter;
    const answer = (text: string, run: () => void): void => {
      if (this.#isDead) return;
      scheduler.after(this.#waitMs(late), owner, `${owner} < ${name}${text}`, () => {
        this.#isBusy = false;
        run();
      });
    };
    const lose = (): void => {
      this.sever();
      answer(' lost', () => reject(new ConnectionLost('the connection broke')));
    };
    const arrive = (): void => {
      // It may have stood in line behind a transaction while its process died.
      if (this.#isDead && !this.#outlivesProcess(name)) return;
      try {
        const result = act();
        // The session ends after its last statement, with all locks that this may have taken.
        if (this.#isDead) this.hangUp();
        if (isLostAfter) lose();
        else answer('', () => resolve(result));
      } catch (error) {
        if (error instanceof UnknownStatement) this.#parts.onDefect(error);
        answer(' failed', () => reject(error));
      }
    };
    scheduler.after(this.#waitMs(late), 'store', `${owner} > ${name}`, () => {
      if (draw < lostBefore) lose();
      else this.#parts.store.whenFree(this.#session, arrive);
    });
    return promise;
  }

  /** Whether a statement that is under way when its process dies is executed all the same. */
  #outlivesProcess(name: string): boolean {
    return this.#parts.outlivesProcess && !this.#hasTransaction && !isTransactional.test(name);
  }

  /** Mostly a few milliseconds, now and then some dozens, seldom seconds. */
  #waitMs(late: number): number {
    const { random } = this.#parts;
    if (random.chance(late)) return random.whole(500, lateMs);
    return random.chance(0.1) ? random.whole(5, 80) : random.whole(0, 4);
  }
}

const maxIds = 3;

/** What a statement is about, for the trace. */
function idsIn(params: readonly unknown[]): string {
  const texts = params.filter((value) => typeof value === 'string');
  const ids = texts.flatMap((text) => text.match(/\b(?:task|evt|req)_\w{4}/g) ?? []);
  return [...new Set(ids)]
    .slice(0, maxIds)
    .map((id) => ` ${id}`)
    .join('');
}
