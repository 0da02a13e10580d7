import type { CheckParts } from '../../engine/parts/check-parts.ts';
import { keepClosed } from '../../steps/failures/breaker-budget.ts';
import {
  type BreakerBudget,
  type RoutedCall,
  routedCall,
  serverFault,
} from '../../steps/failures/routed-call.ts';

/**
 * A call of a model whose own channels all fail, so that only a fallback can answer it. Their breakers stay closed, unless
 * they may open.
 */
export async function failedCall(
  parts: CheckParts,
  budget: BreakerBudget,
  options: {
    readonly stream: boolean;
    readonly key?: string;
    readonly picture?: string;
    /** A text with which the conversation begins. */
    readonly before?: string;
    readonly mayOpen?: true;
  },
): Promise<RoutedCall> {
  parts.cases.count();
  if (options.mayOpen !== true) await keepClosed(parts, budget.model);
  const broken = budget.channels.map(({ name }) => [name, [serverFault]] as const);
  const replies = { '*': [{ text: 'The reserve answers.' }], ...Object.fromEntries(broken) };
  const what = options.picture === undefined ? '' : 'an image for ';
  const label = `${what}${budget.model}, whose channels fail${options.stream ? ', stream' : ''}`;
  return routedCall(budget, replies, { ...options, label });
}
