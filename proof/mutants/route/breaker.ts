import type { Mutant } from '../../edits/mutant.ts';
import { source } from '../../edits/mutant.ts';

/** Gateways whose breakers open too early or late, for too long or short, or for the wrong reasons. */
export const routeBreakerMutants: readonly Mutant[] = [
  breaker('never-opens', 'a channel is never given up', 'ROUTE-009', 'opens', {
    find: 'this.#openUntilMs = nowMs + forMs;',
    replace: 'if (forMs > 0) return;',
  }),
  breaker('never-closes', 'a channel that was given up is never tried again', 'ROUTE-011', 'recovers', {
    find: "nowMs >= this.#openUntilMs ? 'half-open'",
    replace: "nowMs >= this.#openUntilMs + 10 ** 9 ? 'half-open'",
  }),
  source(
    ['route.streams-never-close', 'the good end of a stream closes no breaker', 'ROUTE-011', 'stays-back'],
    'routing/watch-stream.ts',
    'tracker.succeeded();',
    'tracker.abandoned();',
  ),
  breaker('cools-short', 'a channel is tried again much too early', 'ROUTE-009', 'no-upstream-call', {
    find: 'this.#openUntilMs = nowMs + forMs;',
    replace: 'this.#openUntilMs = nowMs + forMs / 3;',
  }),
  breaker(
    'many-probes',
    'every waiting call probes a channel after its cool-down',
    'ROUTE-011',
    'one-probe',
    {
      find: "state === 'closed' || (state === 'half-open' && this.#probe === null)",
      replace: "state !== 'open'",
    },
  ),
  breaker('opens-early', 'a channel is given up after two failures', 'ROUTE-011', 'passes-when-due', {
    find: 'inARow >= this.#limits.consecutive_failures',
    replace: 'inARow >= 2',
  }),
  source(
    [
      'route.breaker.whole-channel',
      'the failures of one model give its channel up for all of them',
      'ROUTE-012',
      'others-served',
    ],
    'routing/live-channel.ts',
    'this.#gates = new Gates(breaker, facts.isShared, changed);',
    `const all = ((globalThis as { gates?: Map<string, Gates> }).gates ??= new Map());
    this.#gates = all.get(facts.channel.id) ?? new Gates(breaker, facts.isShared, changed);
    all.set(facts.channel.id, this.#gates);`,
  ),
  source(
    [
      'route.few-workers',
      'jobs that hang at one upstream keep the tasks of all models waiting',
      'ROUTE-012',
      'served-beside-hanging',
    ],
    'tasks/create-tasks.ts',
    'dividedShares(limits.at_once,',
    'dividedShares(Math.min(limits.at_once, 6),',
  ),
];

function breaker(
  id: string,
  title: string,
  requirement: string,
  aspect: string,
  patch: { readonly find: string; readonly replace: string },
): Mutant {
  const { find, replace } = patch;
  return source([`route.breaker.${id}`, title, requirement, aspect], 'routing/breaker.ts', find, replace);
}
