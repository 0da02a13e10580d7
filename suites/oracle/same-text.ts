import { must } from '../rules/violation.ts';
import type { Exchange } from '../wire/exchange.ts';

/** The rule that a text must arrive as it was sent. */
export interface TextRule {
  readonly requirement: string;
  readonly aspect: string;
  readonly exchange: Exchange;
}

/**
 * Judges that a text arrived unchanged in every UTF-16 unit. The message shows it from the first difference on.
 */
export function judgeSameText(seen: string | null, sent: string, rule: TextRule): void {
  if (seen === sent) return;
  const got = seen ?? '';
  let place = 0;
  while (place < got.length && got[place] === sent[place]) place += 1;
  must(false, {
    ...rule,
    expected: `the text unchanged: ${sent.length} code units, at ${place} ${show(sent, place)}`,
    actual: seen === null ? 'no text' : `${got.length} code units, at ${place} ${show(got, place)}`,
  });
}

/** A part of a text as a JSON string in ASCII, which makes invisible characters distinguishable. */
function show(text: string, place: number): string {
  const part = JSON.stringify(text.slice(Math.max(0, place - 4), place + 12));
  return part.replaceAll(/[^\x20-\x7e]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
