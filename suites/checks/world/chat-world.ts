import { type Check, defineCheck } from '../../engine/check.ts';
import type { CheckParts } from '../../engine/parts/check-parts.ts';
import { askAfterwards, easeWays } from '../../histories/ask-afterwards.ts';
import { Cells } from '../../histories/cells.ts';
import { type History, type HistoryKind, histories, tried } from '../../histories/history.ts';
import { fullTimes, type Play, playAll, type Theatre } from '../../histories/play-all.ts';
import { playSteps } from '../../histories/play-history.ts';
import { reachOfHistory } from '../../histories/reach.ts';
import { type Forms, type Stage, setStage } from '../../histories/stage.ts';
import { chatWaysOf } from '../../steps/ways/ways-of.ts';

/** A region of histories: their most frequent events, and the rules that judge them. */
interface Region {
  readonly name: string;
  readonly title: string;
  readonly requirements: readonly [string, ...string[]];
  readonly kind: HistoryKind;
  readonly quick: number;
  /** Histories that every run tries, with any seed. */
  readonly examples?: readonly History[];
}

const fails = { server: 8, garbage: 3, reset: 2, busy: 2, asks: 2, breaks: 1 } as const;
const ofRequest = { policy: 3, 'too-long': 1, 'odd-status': 1 } as const;
const legal = { none: 1 } as const;

/** A call that claims an allowed address in its headers, made with a key that is restricted to that address. */
const forwarded = {
  way: 'core',
  stream: false,
  key: 'first',
  behaviour: 'good',
  fault: 'none',
  headers: 'forwarded',
} as const;

const good = { ...forwarded, headers: 'none' } as const;

/** Changes while calls are in flight: of the cap, a key, the models, the credit and the markup. */
const duringCalls: History = {
  draw: 1,
  steps: [
    {
      ...{ do: 'together', plan: { ...good, headers: 'traced' }, count: 4 },
      change: { what: 'cap', cap: 6 },
    },
    {
      ...{ do: 'together', plan: { ...good, way: 'compat', stream: true }, count: 2 },
      change: { what: 'key', key: 'second', state: 'disabled' },
    },
    { do: 'together', plan: { ...good, stream: true }, count: 1, change: { what: 'grant' } },
    { do: 'together', plan: { ...good, way: 'images' }, count: 1, change: { what: 'grant' } },
    { do: 'together', plan: good, count: 1, change: { what: 'markup', bp: 7_500 } },
    { do: 'together', plan: { ...good, way: 'images' }, count: 3, change: { what: 'cap', cap: 1 } },
    { do: 'together', plan: good, count: 1, change: { what: 'model', way: 'tasks', hidden: 'all' } },
  ],
};

/** An upstream asks several calls at once to wait. */
const askedAtOnce: History = {
  draw: 2,
  steps: [
    { do: 'together', plan: { ...good, key: 'other', behaviour: 'asks' }, count: 6, change: null },
    {
      do: 'together',
      plan: { ...good, way: 'images', key: 'other', behaviour: 'asks' },
      count: 6,
      change: null,
    },
  ],
};

/** At every endpoint a caller leaves whose upstream never answers. */
const deserted: History = {
  draw: 3,
  steps: (['core', 'compat', 'images'] as const).map((way) => ({
    ...{ do: 'calls', times: 1 },
    plan: { ...good, way, behaviour: 'deserts' },
  })),
};

/** An outage of images, at whose end policy refuses the first call, and a caller leaves the next one. */
const probedInVain: History = {
  draw: 4,
  steps: (['policy', 'leaves'] as const).flatMap((behaviour) => {
    const plan = { ...good, way: 'images', key: 'other' } as const;
    return [
      { do: 'together', plan: { ...plan, behaviour: 'server' }, count: 6, change: null },
      { do: 'wait', bound: 'first', side: 'after' },
      { do: 'calls', plan: { ...plan, behaviour }, times: 1 },
      { do: 'calls', plan, times: 2 },
    ] as const;
  }),
};

/** At every chat endpoint a caller whose credit is almost spent leaves the second attempt. */
const leftAgain: History = {
  draw: 5,
  steps: [false, true].flatMap((stream) =>
    (['core', 'compat'] as const).map((way) => ({
      ...{ do: 'calls' as const, times: 1 },
      plan: { ...good, way, stream, key: 'scarce', behaviour: 'left-again' } as const,
    })),
  ),
};

const regions: readonly Region[] = [
  {
    name: 'errors',
    title:
      'over generated histories each refusal has a reason, at every endpoint, and each reason is refused',
    requirements: [
      'ERR-020',
      'ERR-023',
      'ERR-024',
      'AUTH-008',
      'AUTH-009',
      'AUTH-010',
      'AUTH-013',
      'LIM-011',
      'EP-012',
    ],
    kind: {
      behaviours: { good: 6, ...ofRequest, server: 1 },
      faults: { none: 4, param: 2, model: 1 },
      keys: ['first', 'second', 'other'],
      steps: { calls: 6, together: 1, change: 4, wait: 0, outage: 0 },
      times: 2,
      headers: ['none', 'forwarded', 'override', 'traced'],
    },
    quick: 8,
    examples: [{ draw: 0, steps: tried({ what: 'key', key: 'first', state: 'barred' }, forwarded) }],
  },
  {
    name: 'breaker',
    title: 'over generated histories of chats, images and tasks breakers open, probe and close in time',
    requirements: ['ROUTE-009', 'ROUTE-011', 'ROUTE-013', 'STATE-005', 'STATE-006', 'ERR-029'],
    kind: {
      behaviours: { good: 4, ...fails, ...ofRequest, leaves: 1 },
      faults: legal,
      keys: ['first', 'other'],
      steps: { calls: 6, together: 2, change: 0, wait: 3, outage: 3 },
      times: 5,
      headers: ['none'],
    },
    quick: 11,
    examples: [probedInVain],
  },
  {
    name: 'changes',
    title: 'what an administrator changes during calls holds for those after it, and costs no slot',
    requirements: ['LIM-002', 'LIM-004', 'LIM-008', 'ERR-020', 'AUTH-008', 'RESP-024', 'BILL-006'],
    kind: {
      behaviours: { good: 6, server: 1, policy: 1, leaves: 1, breaks: 1 },
      faults: legal,
      keys: ['first', 'second', 'other'],
      steps: { calls: 2, together: 6, change: 2, wait: 0, outage: 0 },
      times: 1,
      headers: ['none', 'traced'],
    },
    quick: 9,
    examples: [duringCalls],
  },
  {
    name: 'left-behind',
    title: 'after any mix of failures, slots, credit and channels are as before',
    requirements: ['LIM-004', 'ERR-021', 'ROUTE-011', 'BILL-008'],
    kind: {
      behaviours: { good: 2, ...fails, ...ofRequest, leaves: 4, deserts: 2, 'left-again': 2 },
      faults: { none: 6, param: 1 },
      keys: ['scarce', 'first'],
      steps: { calls: 6, together: 1, change: 1, wait: 1, outage: 1 },
      times: 3,
      headers: ['none'],
    },
    quick: 9,
    examples: [askedAtOnce, deserted, leftAgain],
  },
];

export const worldChecks: readonly Check[] = regions.map(
  ({ name, title, requirements, kind, quick, examples = [] }) =>
    defineCheck({
      id: `world.${name}`,
      title,
      requirements,
      kind: 'property',
      needs: ['upstream.control', 'upstream.breaker', 'hooks.accounts', 'time'],
      clock: 'jump',
      tenants: { quick, full: 32 },
      run: async (parts) => {
        const forms = await formsOf(parts);
        const isStreamed = (name: 'core' | 'compat-a' | 'compat-b'): boolean =>
          forms.get(name)?.includes(true) === true;
        const compat = isStreamed('compat-a') || isStreamed('compat-b') ? (['compat'] as const) : [];
        const cells = new Cells(kind, [...(isStreamed('core') ? (['core'] as const) : []), ...compat]);
        const theatre: Theatre = { parts, used: new Set() };
        const play: Play<History, Stage> = {
          set: (own, time, { draw }) => setStage(own, time, draw, { forms, cells }),
          ease: easeWays,
          play: async (stage, { steps }) => {
            await playSteps(stage, steps);
            await askAfterwards(stage);
          },
        };
        await parts.cases.forAllTogether(histories(kind), (all) => playAll(theatre, all, play), {
          ...{ quick: quick - examples.length, full: fullTimes * quick, smoke: 2, examples },
          reachOf: reachOfHistory,
          shrinkMs: parts.cases.full ? 60_000 : 15_000,
        });
        parts.judge.note(cells.summary);
        parts.cases.leaveUndrawn(cells.empty);
      },
    }),
);

async function formsOf(parts: CheckParts): Promise<Forms> {
  const ways = await chatWaysOf(parts);
  return new Map(
    [...Map.groupBy(ways, ({ name }) => name as 'core')].map(([name, own]) => [
      name,
      own.map(({ stream }) => stream),
    ]),
  );
}
