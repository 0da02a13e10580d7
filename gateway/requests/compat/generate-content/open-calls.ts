/** A call that has no result yet. */
export interface OpenCall {
  readonly id: string;
  readonly name: string;
  /** Whether the caller gave the id. */
  readonly hasOwnId: boolean;
  readonly at: string;
}

interface Queue {
  readonly calls: OpenCall[];
  /** Position of the first call that may still be open. */
  first: number;
}

/** The calls without results, each found without a scan of all others: a body may hold very many. */
export class OpenCalls {
  readonly #waiting = new Set<OpenCall>();
  readonly #queues = new Map<string, Queue>();

  add(call: OpenCall): void {
    this.#waiting.add(call);
    for (const key of [named(call.name), call.hasOwnId ? withId(call.id) : unhinted(call.name)]) {
      const queue = this.#queues.get(key);
      if (queue === undefined) this.#queues.set(key, { calls: [call], first: 0 });
      else queue.calls.push(call);
    }
  }

  /**
   * Finds and closes the call of a result: the one with its id, or else the first with its name and no id. A result without
   * an id closes the first call with its name.
   */
  answer({ id, name }: { readonly id: string | null; readonly name: string }): OpenCall | null {
    return id === null ? this.#next(named(name)) : (this.#next(withId(id)) ?? this.#next(unhinted(name)));
  }

  /** Closes and returns all calls that got no result. */
  close(): OpenCall[] {
    const left = [...this.#waiting];
    this.#waiting.clear();
    this.#queues.clear();
    return left;
  }

  #next(key: string): OpenCall | null {
    const queue = this.#queues.get(key);
    if (queue === undefined) return null;
    for (; queue.first < queue.calls.length; queue.first += 1) {
      const call = queue.calls[queue.first];
      if (call !== undefined && this.#waiting.delete(call)) return call;
    }
    return null;
  }
}

const withId = (id: string): string => `id ${id}`;
const named = (name: string): string => `name ${name}`;
const unhinted = (name: string): string => `unmarked ${name}`;
