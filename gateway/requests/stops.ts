import type { ChatFields } from './chat-schema.ts';

/** The stop sequences of a request as a list (specification, "Chat request"). */
export function stopsOf({ stop }: ChatFields): readonly string[] {
  return typeof stop === 'string' ? [stop] : (stop ?? []);
}
