import { combineMutations } from '../../suites/rewrite/combine-mutations.ts';
import type { Mutation } from '../../suites/rewrite/mutation.ts';
import type { Mutant } from '../edits/mutant.ts';
import { allMutants } from '../mutants/all-mutants.ts';

/** One gateway with ten independent defects: the id of each mutant, and of the check that detects it. */
export const tenDefects: Readonly<Record<string, string>> = {
  'auth.models-open': 'auth.header.missing',
  'auth.x-api-key-taken': 'auth.place.wrong',
  'sse.error-event-in-passing': 'sse.shape.every-model',
  'lim.max-tokens-clamped': 'lim.context.max-tokens',
  'task.no-model-unnamed': 'task.model.required',
  'state.end-undone': 'state.terminal.final',
  'route.timeout-as-error': 'route.timeout.two-attempts',
  'hook.last-url': 'hook.none.unasked',
  'compb.end-marker': 'compb.stream.as-said',
  'auth.bare-key-taken': 'auth.header.malformed',
};

/** The mutants by their ids. */
export function plantedDefects(): Extract<Mutant, { mutation: Mutation }>[] {
  return Object.keys(tenDefects).map((id) => {
    const mutant = allMutants.find((one) => one.id === id);
    if (mutant?.kind !== 'front') throw new Error(`no mutant in front of the gateway is called ${id}`);
    return mutant;
  });
}

/** All of them at once. */
export function tenAtOnce(): Mutation {
  return combineMutations(plantedDefects().map(({ mutation }) => mutation));
}
