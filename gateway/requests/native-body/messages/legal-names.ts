import { createHash } from 'node:crypto';

/** What the messages dialect takes for the id of a call. */
const legalId = /^[a-zA-Z0-9_-]+$/;

/** Longest name of a tool. */
const maxNameLength = 128;

/** Letters of the hash in a made id: enough that two never meet. */
const hashLength = 32;

/**
 * Native ids for the calls of a conversation, one for one. Legal ids stay; others, and ids that an earlier turn has
 * used already, get one that depends only on the id and on what came before, so that a longer conversation still
 * begins with the same bytes and finds them in the cache.
 */
export class ToolIds {
  readonly #uses = new Map<string, number>();

  next(id: string): string {
    const earlier = this.#uses.get(id) ?? 0;
    this.#uses.set(id, earlier + 1);
    if (earlier === 0 && legalId.test(id)) return id;
    const hash = createHash('sha256')
      .update(JSON.stringify([id, earlier]))
      .digest('hex');
    return `call_${hash.slice(0, hashLength)}`;
  }
}

/** The name of a called tool. Tools that are given have legal names; only a history can hold others. */
export function legalToolName(name: string): string {
  return name.replaceAll(/[^a-zA-Z0-9_-]/g, '_').slice(0, maxNameLength);
}
