import { defineCheck } from '../../engine/check.ts';
import type { CheckParts } from '../../engine/parts/check-parts.ts';
import { everySetting } from '../../generators/compat/generate-config.ts';
import { must, part } from '../../rules/violation.ts';
import { keepClosed } from '../../steps/failures/breaker-budget.ts';
import { type Exchange, isSuccess } from '../../wire/exchange.ts';
import { refusedB } from './refused.ts';
import { answeredB, formsB, gammaModel } from './served.ts';

const requirement = 'ERR-007';

/** Values that the protocol does not have, each as the only fault. */
const faults: readonly (readonly [member: string, value: unknown])[] = [
  ['temperature', 3],
  ['temperature', 'warm'],
  ['topP', 1.5],
  ['topP', 'all'],
  ['maxOutputTokens', 0],
  ['maxOutputTokens', 'many'],
  ['stopSequences', ['a1', 'b2', 'c3', 'd4', 'e5', 'f6']],
  ['stopSequences', [7]],
  ['seed', 1.5],
  ['seed', 'acorn'],
  ['responseMimeType', 'text/x-none'],
];

export const faultsAreNamed = defineCheck({
  id: 'compb.config.faults',
  title:
    'a fault within generationConfig is put down to the member that has it, as the caller spells it, or to none',
  requirements: ['COMPB-011', requirement],
  kind: 'upstream',
  needs: ['compat.b', 'upstream.control'],
  run: async (parts) => {
    for (const [place, [member, value]] of faults.entries())
      for (const stream of await formsB(parts))
        await part(() => judgeFault(parts, { member, value, isSnake: place % 2 === 1, stream }));
  },
});

interface Faulty {
  readonly member: string;
  readonly value: unknown;
  /** Whether the client spells all members in snake case, which the protocol accepts too. */
  readonly isSnake: boolean;
  readonly stream: boolean;
}

async function judgeFault(parts: CheckParts, { member, value, isSnake, stream }: Faulty): Promise<void> {
  const { cases, newScene, http, target, judge } = parts;
  cases.count();
  const model = gammaModel(target);
  await keepClosed(parts, model);
  const spelled = (name: string): string =>
    isSnake ? name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`) : name;
  const config = Object.entries({ ...everySetting, [member]: value }).map(([name, one]) => [
    spelled(name),
    one,
  ]);
  const body = { ...newScene().minimalB(), [spelled('generationConfig')]: Object.fromEntries(config) };
  const label = `${spelled(member)} ${JSON.stringify(value)}${stream ? ', stream' : ''}`;
  const exchange = await http.compatB(model, body, { stream, label });
  const own = { requirement: 'COMPB-011', aspect: 'fault-told' };
  // A gateway may correct or omit a faulty value.
  if (isSuccess(exchange)) {
    answeredB(judge, exchange, stream, { ...own, model });
    judge.note(`takes ${label}`);
    return;
  }
  const codes = ['invalid_param', 'upstream_error'] as const;
  const { code, param } = refusedB(judge, exchange, { ...own, codes });
  if (code === 'invalid_param') judgeParam(parts, { exchange, param, member: spelled(member) });
}

function judgeParam(
  { judge }: CheckParts,
  { exchange, param, member }: { exchange: Exchange; param: string | null; member: string },
): void {
  const named = { requirement, expected: `param naming ${member}`, actual: `param ${param}`, exchange };
  // Where only the upstream has found the fault, a refusal may name no field (reading B-90).
  if (param === null) {
    judge.advise({ ...named, aspect: 'fault-named' });
    return;
  }
  const segments = param.split(/[.[\]/]+/).filter((segment) => segment !== '');
  const isWhole = segments.length === 1 && /^generation_?config$/i.test(param);
  must(isWhole || segments.includes(member), { ...named, aspect: 'fault-named' });
}
