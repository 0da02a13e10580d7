import { type Statement, selected, textAt } from './statement.ts';

/** The locks of sessions by name: a session may hold one several times, and loses all when it ends. */
export class AdvisoryLocks {
  readonly #all = new Map<string, { readonly session: number; readonly count: number }>();

  take(name: string, session: number): boolean {
    const known = this.#all.get(name);
    if (known !== undefined && known.session !== session) return false;
    this.#all.set(name, { session, count: (known?.count ?? 0) + 1 });
    return true;
  }

  release(name: string, session: number): boolean {
    const known = this.#all.get(name);
    if (known === undefined || known.session !== session) return false;
    if (known.count === 1) this.#all.delete(name);
    else this.#all.set(name, { session, count: known.count - 1 });
    return true;
  }

  /** The session that holds a lock; null if it is free. */
  sessionOf(name: string): number | null {
    return this.#all.get(name)?.session ?? null;
  }

  /** Frees what a session holds, and returns the names. */
  endOf(session: number): string[] {
    const names = [...this.#all].flatMap(([name, known]) => (known.session === session ? [name] : []));
    for (const name of names) this.#all.delete(name);
    return names;
  }
}

/** The statements of billing/locked-instances.ts. */
export function instanceStatements(locks: AdvisoryLocks): readonly Statement[] {
  return [
    {
      name: 'take lock',
      matches: /^select pg_try_advisory_lock\(hashtextextended\(\$1, 0\)\) as taken$/,
      run: (call) => selected([{ taken: locks.take(textAt(call, 0), call.session) }]),
    },
    {
      name: 'release lock',
      matches: /^select pg_advisory_unlock\(hashtextextended\(\$1, 0\)\)$/,
      run: (call) => selected([{ pg_advisory_unlock: locks.release(textAt(call, 0), call.session) }]),
    },
    {
      name: 'ask whether the connection is well',
      matches: /^select 1$/,
      run: () => selected([{ '?column?': 1 }]),
    },
  ];
}
