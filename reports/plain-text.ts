/**
 * Makes text from a server safe to show: no terminal sequences, no control characters, and no characters that
 * change the direction of the text around them.
 */

const esc = String.fromCharCode(0x1b);
const bell = String.fromCharCode(0x07);
const csi = String.fromCharCode(0x9b);
/** CSI sequences, strings (OSC, DCS, SOS, PM, APC) up to their end, and two-character escapes. */
const terminalSequences = new RegExp(
  [
    `(?:${esc}\\[|${csi})[0-?]*[ -/]*[@-~]`,
    `${esc}[\\]PX^_][^${bell}${esc}]*(?:${bell}|${esc}\\\\)`,
    `${esc}[ -/]*[0-Z\\\\^-~]`,
  ].join('|'),
  'g',
);
const controls = /[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/** Keeps line breaks, turns tabs into spaces, removes terminal sequences and every other control character. */
export function plainText(text: string): string {
  return text
    .toWellFormed()
    .replace(terminalSequences, '')
    .replaceAll('\t', '  ')
    .replace(/\r\n?/g, '\n')
    .replace(controls, (character) => (character === '\n' ? '\n' : ''));
}

/** The same on one line: consecutive white space becomes one space. */
export function oneLine(text: string): string {
  return plainText(text).replace(/\s+/g, ' ').trim();
}

/** At most `limit` code points. The cut is marked, with the number of dropped characters. */
export function clip(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const points = [...text];
  if (points.length <= limit) return text;
  return `${points.slice(0, limit).join('')}… (${points.length - limit} more characters)`;
}
