import type { NativeView, Part } from './native/view.ts';

/**
 * A cache slot that a hint requests. It stores everything up to the hint for one of two lifetimes ("Prompt-cache billing
 * multipliers"). Requests with the same slots are equal to a cache, however their texts are split into blocks.
 */
export interface CacheSlot {
  /** Five minutes when the hint names no lifetime (reading B-29). */
  readonly life: '5m' | '1h' | 'other';
  /** Everything before and on the block of the hint, in order. */
  readonly prefix: string;
}

/** The lifetime of a slot for a `ttl` value. */
export function lifeOf(ttl: unknown): CacheSlot['life'] {
  if (ttl === null || ttl === undefined || ttl === '5m') return '5m';
  return ttl === '1h' ? '1h' : 'other';
}

/** The slots of a request, in the order of the conversation: system, then turns. */
export function cacheSlots(view: NativeView): CacheSlot[] {
  const slots: CacheSlot[] = [];
  let prefix = '';
  const walk = (place: string, parts: readonly Part[]): void => {
    prefix += `<${place}>`;
    for (const part of parts) {
      prefix += contentOf(part);
      if (part.cache !== null) slots.push({ life: lifeOf(part.cache.ttl), prefix });
    }
  };
  walk('system', view.system);
  for (const turn of view.turns) walk(turn.role, turn.parts);
  return slots;
}

/** The end positions of the slots, for messages. */
export function shownSlots(slots: readonly CacheSlot[]): string {
  const ends = slots.map(({ life, prefix }) => `${life} after …${prefix.slice(-40)}`);
  return ends.length === 0 ? 'no hint' : ends.join('; ');
}

function contentOf(part: Part): string {
  switch (part.kind) {
    case 'text':
      return part.text;
    case 'media':
      return `<${part.url ?? `${part.mime} ${part.base64}`}>`;
    case 'other':
      return '<other>';
  }
}
