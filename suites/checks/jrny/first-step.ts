import type { CheckParts } from '../../engine/parts/check-parts.ts';
import { must } from '../../rules/violation.ts';
import { hasControl } from '../../steps/fields/media-inputs.ts';
import { imagineBody } from '../../steps/media/workflow.ts';
import type { Exchange } from '../../wire/exchange.ts';

/** A refusal may also ask for the action that the field belongs to, or for the parent of an index. */
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
