import type { MediaView } from './upstream-view.ts';

type Body = Readonly<Record<string, unknown>>;

/** Song actions for which the specification gives a prompt a meaning. */
const promptTakers: readonly unknown[] = ['extend', 'cover', 'add-vocals', 'mashup', 'replace', 'persona'];

/** The inputs with an effect on a later step, each with its rule; another one may be dropped. */
function effective({ model, action }: Body): readonly (readonly [name: string, requirement: string])[] {
  if (model === 'journey-v7') return [['index', 'JRNY-013']];
  return [
    ...(action === 'extend' ? ([['duration', 'SONG-010']] as const) : []),
    ...(promptTakers.includes(action) ? ([['prompt', 'SONG-028']] as const) : []),
  ];
}

/** How a later step did not arrive at its upstream as it was sent, with the rule that it breaks. */
export interface StepFault {
  readonly requirement: string;
  readonly aspect: string;
  readonly expected: string;
  readonly actual: string;
}

/**
 * Compares a later step with what its upstream got: the action, the parent, and the inputs that have an effect on it.
 * @param job the upstream's id of the parent; null when unknown
 */
export function stepFaults(body: Body, view: MediaView, job: string | null): StepFault[] {
  // Only this dialect has steps.
  if (view.dialect !== 'callback-jobs') return [];
  const chain = body.model === 'journey-v7' ? 'JRNY-022' : 'SONG-028';
  const same = (
    [requirement, aspect]: readonly [string, string],
    expected: unknown,
    actual: unknown,
  ): StepFault[] =>
    expected === actual ? [] : [{ requirement, aspect, expected: String(expected), actual: String(actual) }];
  const [parent, ...more] = view.parents;
  return [
    ...same([chain, 'action-arrives'], body.action, view.action),
    ...(job === null || more.length > 0 ? [] : same([chain, 'parent-arrives'], job, parent)),
    ...effective(body)
      .filter(([name]) => body[name] !== undefined && body[name] !== null)
      .flatMap(([name, rule]) => same([rule, 'input-arrives'], body[name], view.fields[name])),
  ];
}
