import { createHash } from 'node:crypto';

/** Legal call ids of the messages dialect. */
const legalId = /^[a-zA-Z0-9_-]+$/;

/** Maximum length of a tool name. */
const maxNameLength = 128;

/** Hash characters in a generated id: enough to make collisions negligible. */
const hashLength = 32;

/**
 * Gives every call of a conversation a unique native id. A legal id stays; an illegal or repeated one is replaced.
 * The new id depends only on the old one and the turns before. So a longer conversation starts with the same bytes
 * and hits the cache.
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

/** The name of a called tool. Defined tools have legal names; only a history can hold others. */
export function legalToolName(name: string): string {
  return name.replaceAll(/[^a-zA-Z0-9_-]/g, '_').slice(0, maxNameLength);
}
