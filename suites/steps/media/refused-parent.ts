import type { Judge } from '../../engine/parts/judge.ts';
import type { Rule } from '../../oracle/media/rules.ts';
import type { Exchange } from '../../wire/exchange.ts';

/** Judges that a task is refused as what `param` names: as a wrong value or as an unknown task (reading B-62). */
export function judgeRefusedParent(
  judge: Judge,
  exchange: Exchange,
  param: string,
  rule: Rule & { readonly twin?: Exchange | undefined },
): void {
  const { code } = judge.refused(exchange, { ...rule, codes: ['invalid_param', 'task_not_found'] });
  if (code === 'invalid_param')
    judge.refused(exchange, { ...rule, codes: [code], param, paramRule: rule.requirement });
}
