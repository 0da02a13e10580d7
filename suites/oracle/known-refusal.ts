import { type Exchange, errorCodeOf } from '../wire/exchange.ts';
import type { ErrorCode } from './error-table.ts';
import { type ErrorBody, type ExpectedRefusal, judgeRefusal } from './refusal.ts';

/** The rule about the use of each code, for refusals that checks of other rules need. */
const rows = {
  invalid_api_key: 'ERR-014',
  model_not_found: 'ERR-023',
  invalid_param: 'ERR-024',
  context_too_long: 'ERR-025',
  unsupported_capability: 'ERR-026',
  task_not_found: 'ERR-028',
} as const satisfies Partial<Record<ErrorCode, string>>;

type KnownCode = keyof typeof rows;

/** A refusal that a check needs, but does not judge. */
export interface KnownRefusal extends Pick<ExpectedRefusal, 'param' | 'twin' | 'channels'> {
  readonly code: KnownCode;
  /**
   * The check's own rule. `blames` accepts the codes that violate it; any other answer violates the rule of the needed code.
   */
  readonly own: { readonly requirement: string; readonly aspect: string };
  readonly blames: (code: string) => boolean;
}

export function isKnownCode(code: string): code is KnownCode {
  return Object.hasOwn(rows, code);
}

/** Judges a refusal that a check needs. Another answer violates the rule of its code, not the check's rule. */
export function judgeKnownRefusal(
  exchange: Exchange,
  { code, own, blames, ...more }: KnownRefusal,
): ErrorBody {
  const got = errorCodeOf(exchange);
  const isOwn = typeof got === 'string' && blames(got);
  const rule = isOwn ? own : { requirement: rows[code], aspect: 'provoked' };
  return judgeRefusal(exchange, { ...more, ...rule, codes: [code] });
}
