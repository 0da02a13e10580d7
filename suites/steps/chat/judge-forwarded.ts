import type { JsonObject } from '../../engine/requests.ts';
import { readCaller } from '../../oracle/native/read.ts';
import { type ForwardedField, fieldFault } from '../../oracle/native/same-fields.ts';
import { turnFault } from '../../oracle/native/same-turns.ts';
import { textOf } from '../../oracle/native/view.ts';
import { flag, must } from '../../rules/violation.ts';
import type { Exchange } from '../../wire/exchange.ts';
import { type NativeRequest, shown } from './upstream-view.ts';

/** Judges that the conversation of a request reached the upstream, turn by turn. */
export function judgeTurns(body: JsonObject, native: NativeRequest, exchange: Exchange): void {
  const fault = turnFault(readCaller(body), native.view);
  if (fault === null) return;
  must(false, { requirement: 'CHAT-010', ...fault, exchange, upstream: shown(native) });
}

/**
 * Judges that these texts reached the upstream in this order, whatever is added. White space of any kind and length is
 * the same.
 */
export function judgeTexts(texts: readonly string[], native: NativeRequest, exchange: Exchange): void {
  const { system, turns } = native.view;
  const seen = spaced([...system.map((one) => textOf({ parts: [one] })), ...turns.map(textOf)].join('\n'));
  const places = texts.map((text) => seen.indexOf(spaced(text)));
  flag(
    places.every((place, at) => place > (places[at - 1] ?? -1)),
    {
      requirement: 'CHAT-010',
      aspect: 'none-dropped',
      expected: `${JSON.stringify(texts)}, whatever is added`,
      actual: JSON.stringify(seen),
      exchange,
      upstream: shown(native),
    },
  );
}

function spaced(text: string): string {
  return text.replaceAll(/\s+/g, ' ');
}

/** Judges that a field reached the upstream as sent, or in the form that the upstream's dialect has for it. */
export function judgeField(
  name: ForwardedField,
  { body, native, exchange }: { body: JsonObject; native: NativeRequest; exchange: Exchange },
  rule = { requirement: 'CHAT-050', aspect: `forwards-${name.replaceAll('_', '-')}` },
): void {
  const fault = fieldFault(name, readCaller(body), native.view);
  if (fault === null) return;
  const { expected, actual } = fault;
  must(false, { ...rule, expected: `${body.model}: ${expected}`, actual, exchange, upstream: shown(native) });
}
