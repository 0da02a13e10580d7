import { isUtf8 } from 'node:buffer';
import type { JournalEntry } from '../control/journal.ts';

/** An entry for readers: bodies in UTF-8 as text. Others stay in base64, because no text could show them. */
export function withTexts({ request, reply, ...entry }: JournalEntry): JournalEntry {
  return { ...entry, request: { ...request, ...asText(request) }, reply: { ...reply, ...asText(reply) } };
}

function asText({ body_base64 }: { body_base64: string }): { body_base64: string; body_text?: string } {
  const bytes = Buffer.from(body_base64, 'base64');
  return isUtf8(bytes) ? { body_base64: '', body_text: bytes.toString('utf8') } : { body_base64 };
}
