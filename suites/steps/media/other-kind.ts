import type { Judge } from '../../engine/parts/judge.ts';
import { otherKindCodes } from '../../oracle/error-table.ts';
import type { Exchange } from '../../wire/exchange.ts';

/** Judges a refusal of a model at the wrong endpoint. */
export function judgeOtherKind(
  judge: Judge,
  exchange: Exchange,
  rule: { readonly requirement: string; readonly aspect: string; readonly twin: Exchange },
): void {
  const { code } = judge.refused(exchange, { ...rule, codes: otherKindCodes });
  if (code !== 'invalid_param') return;
  judge.refused(exchange, { ...rule, codes: otherKindCodes, param: 'model', paramRule: rule.requirement });
}
