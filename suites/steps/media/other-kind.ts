import type { CheckParts } from '../../engine/parts/check-parts.ts';
import { otherKindCodes } from '../../oracle/error-table.ts';
import type { Exchange } from '../../wire/exchange.ts';

/** Judges a refusal of a model at the wrong endpoint. */
export function judgeOtherKind(
  kit: CheckParts,
  exchange: Exchange,
  rule: { readonly requirement: string; readonly aspect: string; readonly twin: Exchange },
): void {
  const { code } = kit.judge.refused(exchange, { ...rule, codes: otherKindCodes });
  if (code !== 'invalid_param') return;
  kit.judge.refused(exchange, {
    ...rule,
    codes: otherKindCodes,
    param: 'model',
    paramRule: rule.requirement,
  });
}
