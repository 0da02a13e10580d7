/**
 * Text that came from a server, made safe to show: no terminal sequences, no control characters, nothing that
 * turns the direction of the text around it.
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

/** The same on one line: runs of white space become one space. */
export function oneLine(text: string): string {
  return plainText(text).replace(/\s+/g, ' ').trim();
}

/** At most `limit` code points, the cut marked and counted. */
export function clip(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const points = [...text];
  if (points.length <= limit) return text;
  return `${points.slice(0, limit).join('')}… (${points.length - limit} more characters)`;
}
