import { Journal } from './journal.ts';
import type { Reply, Script } from './protocol.ts';

/** A request that is being answered, as far as its lane may steer it. */
export interface LiveRequest {
  readonly n: number;
  /** Lets it go on if it waits at a gate now; says whether it did. */
  openGate(): boolean;
  /** Breaks it off. */
  end(): void;
}

/** The reply a script holds for a request. */
export interface ScriptedReply {
  readonly script: string;
  readonly reply: Reply;
}

interface ArmedScript {
  readonly id: string;
  readonly script: Script;
  /** How many requests it has answered. */
  used: number;
}

/** Scripts that nobody removes must not fill the process. */
const mostScripts = 1000;

/** One isolated set of upstreams: its own scripts, journal and requests in flight. */
export class Lane {
  readonly name: string;
  readonly journal: Journal;
  readonly #live = new Set<LiveRequest>();
  /** Newest first. */
  #scripts: ArmedScript[] = [];
  #lastScript = 0;
  #era: object = {};

  constructor(name: string) {
    this.name = name;
    this.journal = new Journal(name);
  }

  /** Another object after each reset: what an upstream remembers for the lane hangs on it and goes with it. */
  get era(): object {
    return this.#era;
  }

  /** Arms a script and returns its id, or null when the lane holds as many as it may. */
  arm(script: Script): string | null {
    if (this.#scripts.length >= mostScripts) return null;
    this.#lastScript += 1;
    const id = `script-${this.#lastScript}`;
    this.#scripts.unshift({ id, script, used: 0 });
    return id;
  }

  /** Whether there was such a script. */
  disarm(id: string): boolean {
    const before = this.#scripts.length;
    this.#scripts = this.#scripts.filter((armed) => armed.id !== id);
    return this.#scripts.length < before;
  }

  /** Takes the next reply of the newest script that matches; null stands for generated behaviour. */
  nextReply(channel: string, body: Buffer): ScriptedReply | null {
    const armed = this.#scripts.find(({ script }) => matches(script, channel, body));
    if (armed === undefined) return null;
    const { replies, then } = armed.script;
    const reply = replies[armed.used] ?? (then === 'default' ? undefined : replies.at(-1));
    armed.used += 1;
    return reply === undefined ? null : { script: armed.id, reply };
  }

  attach(request: LiveRequest): void {
    this.#live.add(request);
  }

  detach(request: LiveRequest): void {
    this.#live.delete(request);
  }

  /** Opens the gates where requests wait now (those of request `n` only, when given). */
  release(n?: number): number {
    const concerned = [...this.#live].filter((request) => n === undefined || request.n === n);
    return concerned.filter((request) => request.openGate()).length;
  }

  /** Back to a fresh lane: every request in flight is broken off, scripts, journal and memory are gone. */
  reset(): void {
    for (const request of [...this.#live]) request.end();
    this.#scripts = [];
    this.#era = {};
    this.journal.clear();
  }
}

function matches(script: Script, channel: string, body: Buffer): boolean {
  if (script.channel !== undefined && script.channel !== channel) return false;
  return script.marker === undefined || body.includes(script.marker);
}
