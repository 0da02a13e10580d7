import type { WireEnd } from '../answers/wire-program.ts';
import type { Match, ScriptState } from '../control/matching.ts';
import type { Reply, Script } from '../control/protocol.ts';
import { userText } from '../requests/decode-request.ts';
import { type Condition, conditionsOf, matchText, type Predicate } from '../requests/matching.ts';
import type { RequestFacts } from '../requests/request-facts.ts';
import { showSelectors } from '../requests/selectors.ts';
import { expandReply } from './expand-reply.ts';

/** The scripts of files, which every tenant of a process has. They may change at any time. */
export interface FileScripts {
  readonly scripts: readonly Script[];
}

/** The scripted reply to a request. */
export interface ScriptedReply {
  readonly script: string;
  readonly reply: Reply;
}

interface HeldScript {
  readonly id: string;
  readonly script: Script;
  readonly match: Match;
  readonly where: Predicate | undefined;
  readonly fromFile: boolean;
  /** The number of requests that it answered. */
  used: number;
}

/** A limit, because scripts that are never removed must not fill the process. */
const maxScripts = 1000;

/** The scripts of one tenant: its own, the newest first, and then those of files in their order. */
export class Scripts {
  readonly #files: FileScripts;
  #own: HeldScript[] = [];
  #last = 0;
  /** The tenant's copies of scripts from files, as of its last use. */
  #fromFiles: { readonly of: readonly Script[]; readonly held: readonly HeldScript[] } | null = null;

  constructor(files: FileScripts) {
    this.#files = files;
  }

  /** Adds a script and returns its id, or null when the tenant is at its limit. */
  add(script: Script, where?: Predicate): string | null {
    if (this.#own.length >= maxScripts) return null;
    this.#last += 1;
    const id = `script-${this.#last}`;
    this.#own.unshift({ id, script, match: matchOf(script), where, fromFile: false, used: 0 });
    return id;
  }

  /** Replaces one script. The new one starts at its first reply. False if the script does not exist. */
  change(id: string, script: Script): boolean {
    const at = this.#own.findIndex((held) => held.id === id);
    const before = this.#own[at];
    if (before === undefined) return false;
    this.#own[at] = { ...before, script, match: matchOf(script), used: 0 };
    return true;
  }

  /** Removes a script; returns whether it existed. */
  remove(id: string): boolean {
    const before = this.#own.length;
    this.#own = this.#own.filter((held) => held.id !== id);
    return this.#own.length < before;
  }

  clear(): void {
    this.#own = [];
    this.#fromFiles = null;
  }

  get isEmpty(): boolean {
    return this.#own.length === 0;
  }

  /** In the order in which they are tried. */
  list(): ScriptState[] {
    return this.#all().map(({ id, script, match, fromFile, used }) => ({
      id,
      name: script.name ?? null,
      from_file: fromFile,
      match: { ...showSelectors(match) },
      used,
      replies: script.replies.length,
    }));
  }

  /** The tenant's own scripts with unused replies, except optional ones. */
  unused(): ScriptState[] {
    const open = this.#own.filter(
      ({ script, used }) => script.optional !== true && used < script.replies.length,
    );
    const ids = new Set(open.map(({ id }) => id));
    return this.list().filter(({ id }) => ids.has(id));
  }

  /** Takes the next reply of the first script that matches; null if the answer is to be generated. */
  take(request: RequestFacts): ScriptedReply | null {
    for (const held of this.#all()) {
      if (!matches(held, request)) continue;
      const { replies, then } = held.script;
      const isSpent = held.used >= replies.length;
      if (isSpent && then === 'next') continue;
      const reply = replies[held.used] ?? (then === 'default' ? undefined : replies.at(-1));
      held.used += 1;
      return reply === undefined ? null : { script: held.id, reply: filledIn(reply, held.script, request) };
    }
    return null;
  }

  /** The scripted end of a request on a reused connection; null for none. */
  endOfReused(request: RequestFacts): WireEnd | null {
    const all = this.#all();
    if (all.every(({ script }) => script.reused === undefined)) return null;
    return all.find((held) => matches(held, request))?.script.reused ?? null;
  }

  /** One sentence on the script nearest to a request, and the difference. */
  nearest(request: RequestFacts): string {
    const judged = this.#all().map(({ id, script, match, where }) => {
      const conditions = [...conditionsOf(match, request, where)];
      const missed = conditions.filter(({ holds }) => !holds);
      const held = conditions.filter(({ holds }) => holds);
      return { name: script.name ?? id, missed, near: weightOf(held) - weightOf(missed) };
    });
    const [best] = judged.toSorted((one, other) => other.near - one.near);
    if (best === undefined) return 'there are no scripts';
    if (best.missed.length === 0) return `the replies of ${best.name} are used up`;
    const differences = best.missed.map(
      ({ name, wanted, given }) => `${name} is ${given || 'empty'}, not ${wanted}`,
    );
    return `the nearest script is ${best.name}: ${differences.join('; ')}`;
  }

  #all(): readonly HeldScript[] {
    const { scripts } = this.#files;
    if (scripts.length === 0) return this.#own;
    if (this.#fromFiles?.of !== scripts) {
      const held = scripts.map((script, at) => ({
        id: `file-${at + 1}`,
        script,
        match: matchOf(script),
        where: undefined,
        fromFile: true,
        used: 0,
      }));
      this.#fromFiles = { of: scripts, held };
    }
    return [...this.#own, ...this.#fromFiles.held];
  }
}

/** The conditions that say most about what was meant; others weigh 1. */
const weights: Readonly<Record<string, number>> = { text: 4, marker: 4, system: 3, where: 2, model: 2 };

function weightOf(conditions: readonly Condition[]): number {
  return conditions.reduce((sum, { name }) => sum + (weights[name] ?? 1), 0);
}

/** The match of a script, including its `marker` and `channel`. */
function matchOf({ match, marker, channel }: Script): Match {
  return {
    ...match,
    ...(marker === undefined ? {} : { marker }),
    ...(channel === undefined ? {} : { channel }),
  };
}

function matches({ match, where }: HeldScript, request: RequestFacts): boolean {
  for (const { holds } of conditionsOf(match, request, where)) if (!holds) return false;
  return true;
}

function filledIn(reply: Reply, { match }: Script, request: RequestFacts): Reply {
  const captured = match?.text === undefined ? {} : matchText(match.text, userText(request.said));
  return expandReply(reply, request, captured ?? {});
}
