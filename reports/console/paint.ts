export type Style = 'red' | 'yellow' | 'green' | 'blue' | 'magenta' | 'dim' | 'bold';
export type Paint = (style: Style, text: string) => string;

/** Wraps text in SGR sequences, or leaves it unchanged without colours. */
export function painter(color: boolean): Paint {
  return color ? (style, text) => `${codes[style]}${text}${reset}` : (_, text) => text;
}

const esc = String.fromCharCode(0x1b);
const reset = `${esc}[0m`;
const codes: Record<Style, string> = {
  red: `${esc}[31m`,
  yellow: `${esc}[33m`,
  green: `${esc}[32m`,
  blue: `${esc}[34m`,
  magenta: `${esc}[35m`,
  dim: `${esc}[2m`,
  bold: `${esc}[1m`,
};
