import { headBytes, headStep, standardSteps, wireHeaders } from '../../answers/wire-form.ts';
import type { Fault } from '../../fault-contract/fault.ts';

type Header = readonly [name: string, value: string];

/** The head is unusual, but valid and without contradictions. */
export const oddHeaders: Fault = {
  id: 'P11',
  kind: 'wire',
  steps: (given, { form }) => {
    const [, ...rest] = standardSteps(given);
    const headers = wireHeaders(given).flatMap((header) => oddly(header, form));
    return [headStep(given, headBytes(given.status, headers)), ...rest];
  },
};

function oddly(header: Header, form: string | null): Header[] {
  const [name, value] = header;
  if (form === 'odd-case') return [[oddCase(name), value]];
  // Headers that delimit the body must appear only once.
  const isTwice = form === 'twice' ? !framing.includes(name) : name === 'content-type';
  return isTwice ? [header, header] : [header];
}

const framing: readonly string[] = ['content-length', 'transfer-encoding', 'connection'];

function oddCase(name: string): string {
  return [...name].map((letter, at) => (at % 2 === 1 ? letter.toUpperCase() : letter.toLowerCase())).join('');
}
