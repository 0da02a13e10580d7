import { isJsonObject } from '../values/json.ts';

/**
 * Reads JSON without loss. Numbers become a canonical text of their exact value: 1e-7 equals 0.0000001, but
 * 9007199254740993 differs from 9007199254740992. Object keys are sorted.
 * @throws SyntaxError when the text is not JSON.
 */
export function exactJson(text: string): unknown {
  const parse = JSON.parse as (
    text: string,
    reviver: (key: string, value: unknown, context: { source?: string }) => unknown,
  ) => unknown;
  return parse(text, (_key, value, context) => {
    if (typeof value === 'number') return { number: canonicalNumber(context.source ?? String(value)) };
    if (isJsonObject(value)) {
      return { members: Object.entries(value).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)) };
    }
    return value;
  });
}

/**
 * A canonical number: sign, digits without outer zeros, and the power of ten of the last digit. Equal values get equal texts.
 */
export function canonicalNumber(source: string): string {
  const [, sign = '', whole = '', fraction = '', power = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(source) ?? [];
  const digits = `${whole}${fraction}`.replace(/^0+/, '');
  if (digits === '') return '0';
  const significant = digits.replace(/0+$/, '');
  const exponent = Number(power) - fraction.length + (digits.length - significant.length);
  return `${sign}${significant}e${exponent}`;
}
