import type { CheckParts } from '../../engine/parts/check-parts.ts';
import { absent } from '../../oracle/json-text.ts';
import { laterSteps } from '../../oracle/media/fields.ts';
import type { MediaModel } from '../../oracle/media/models.ts';
import { foreignRule, type Rule, unknownRule, webhookRule } from '../../oracle/media/rules.ts';
import { must } from '../../rules/violation.ts';
import { hasControl } from '../../steps/fields/media-inputs.ts';
import { imagineBody, stepBody } from '../../steps/media/workflow.ts';
import type { Exchange } from '../../wire/exchange.ts';

/** A refusal may also name the missing action, or the missing parent of an index. */
const named = ['action', 'parent_task_id', 'index'];

/** A first step has no parent: a body with fields of later steps, but without their action, is refused. */
export async function judgeFirstSteps(parts: CheckParts, parentId: string, twin: Exchange): Promise<void> {
  const { cases, newScene, tasks, judge, target } = parts;
  const rule = { requirement: 'JRNY-002', aspect: 'no-parent', twin } as const;
  const scene = newScene();
  for (const member of [{ parent_task_id: parentId }, { index: 2 }]) {
    cases.count();
    const body = { ...imagineBody(parts), prompt: scene.prompt(), ...member };
    const exchange = await tasks.submit(body, { label: `a first step with ${Object.keys(member)}` });
    // A parent that will not do may be answered as task_not_found (reading B-62).
    const { code, param } = judge.refused(exchange, { ...rule, codes: ['invalid_param', 'task_not_found'] });
    if (code === 'task_not_found') continue;
    const expected = `one of ${named.join(', ')}`;
    must(param !== null && named.includes(param), {
      ...rule,
      aspect: 'no-parent-param',
      expected,
      actual: String(param),
      exchange,
    });
  }
  if (!hasControl(target)) return;
  const [request] = await scene.requestsNow();
  const expected = 'no job for a first step that was refused';
  must(request === undefined, { ...rule, expected, actual: 'one arrived', upstream: request?.text });
}

/** A later step of journey-v7 with one unusual field. */
export interface StepCell extends Rule {
  readonly field: string;
  readonly why: string;
  readonly verdict: 'refuse' | 'either';
  readonly body: Readonly<Record<string, unknown>>;
}

const picking = ['upscale', 'variation'] as const;

/** Later steps of a valid grid with one field that is wrong or unspecified. */
export function stepCells(journey: MediaModel, parentId: string, unknownId: string): readonly StepCell[] {
  const legal = (step: (typeof laterSteps)[number]): Record<string, unknown> =>
    stepBody(step, parentId, step === 'reroll' ? undefined : 1);
  const cells = (
    rule: Rule,
    which: readonly (typeof laterSteps)[number][],
    field: string,
    values: readonly unknown[],
    verdict: StepCell['verdict'] = 'refuse',
  ): StepCell[] =>
    which.flatMap((step) =>
      values.map((value) => ({
        ...rule,
        field,
        why: `${step}, ${field} ${value === absent ? 'left out' : JSON.stringify(value)}`,
        verdict,
        body: withMember(legal(step), field, value),
      })),
    );
  const noIds = [5, true, [parentId], {}];
  const unknown = [unknownId, '', 'task_', '../x', 'x'.repeat(500)];
  const actions = ['Upscale', 'UPSCALE', 'upscale ', 'zoom', '', 5, true, ['upscale'], {}];
  return [
    ...cells({ requirement: 'JRNY-011', aspect: 'outside' }, picking, 'index', [0, 5, -1, 100]),
    ...cells({ requirement: 'JRNY-011', aspect: 'type' }, picking, 'index', ['1', 1.5, true, [1], {}, 'NaN']),
    ...cells({ requirement: 'JRNY-012', aspect: 'required' }, picking, 'index', [absent, null]),
    ...cells({ requirement: 'JRNY-014', aspect: 'required' }, laterSteps, 'parent_task_id', [absent, null]),
    ...cells({ requirement: 'JRNY-014', aspect: 'type' }, laterSteps, 'parent_task_id', noIds),
    ...cells({ requirement: 'JRNY-015', aspect: 'unknown-refused' }, laterSteps, 'parent_task_id', unknown),
    ...cells({ requirement: 'JRNY-018', aspect: 'outside' }, ['upscale'], 'action', actions),
    ...cells(unknownRule(journey), laterSteps, 'no_such_field', [1]),
    ...cells(foreignRule(journey), laterSteps, 'image_url', ['https://media.example.com/files/sea.png']),
    ...cells(webhookRule(journey, 'refuse'), laterSteps, 'webhook_url', ['http://hooks.example.com/x', 5]),
    ...cells({ requirement: 'JRNY-010', aspect: 'clean-either-way' }, ['reroll'], 'index', [1], 'either'),
    ...cells({ requirement: 'JRNY-019', aspect: 'clean-either-way' }, picking, 'prompt', ['A sea'], 'either'),
    ...cells({ requirement: 'JRNY-019', aspect: 'clean-either-way' }, ['reroll'], 'stylize', [5], 'either'),
  ];
}

function withMember(body: Record<string, unknown>, field: string, value: unknown): Record<string, unknown> {
  const { [field]: _, ...rest } = body;
  return value === absent ? rest : { ...rest, [field]: value };
}
