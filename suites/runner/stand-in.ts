import { failuresOf } from 'gatecheck-reports/failures-of';
import type { CheckResult, Failure } from 'gatecheck-reports/report';

/** So many checks that one other model has to do with have one cause. */
const manyChecks = 10;

/** What the failures of a run show of a model that answers in place of those that were asked. */
interface Answering {
  readonly asked: Set<string>;
  /** Checks that fail because it answers. */
  readonly checks: Set<string>;
  /** Checks that fail for its name: then it is another name of the model, and answers in any case. */
  readonly named: Set<string>;
}

/**
 * A sentence for each model that answers well for calls of several others that should fail: a gateway has it for failures, and
 * each rule about failures and refusals fails for this one cause.
 */
export function standInsInWords(results: readonly CheckResult[]): string[] {
  const found = new Map<string, Answering>();
  for (const result of results.filter(({ verdict }) => verdict === 'fail'))
    for (const failure of failuresOf(result)) {
      const { asked, answered } = modelsOf(failure);
      if (asked === undefined || answered === undefined || asked === answered) continue;
      const one = found.get(answered) ?? { asked: new Set(), checks: new Set(), named: new Set() };
      found.set(answered, one);
      one.asked.add(asked);
      (failure.requirement === 'RESP-004' ? one.named : one.checks).add(result.id);
    }
  return [...found].flatMap(([model, { asked, checks, named }]) =>
    asked.size > 1 && checks.size >= manyChecks && named.size < checks.size / 2
      ? [
          `${checks.size} checks fail because the model ${model} answers in place of another one. If your gateway has it for failures, take it away and run again: it hides what else these checks would show.`,
        ]
      : [],
  );
}

const modelMember = /"model"\s*:\s*"([^"\\]+)"/;

/** The models in a request and in its good answer, whole or the first chunk of a stream. */
function modelsOf({ exchange }: Failure): { readonly asked?: string; readonly answered?: string } {
  if (exchange?.response?.status !== 200) return {};
  const asked = modelMember.exec(exchange.request.body)?.[1];
  const answered = modelMember.exec(exchange.response.body)?.[1];
  return { ...(asked !== undefined && { asked }), ...(answered !== undefined && { answered }) };
}
