import type { Fact } from '../engine/facts.ts';
import { missingFacts } from '../engine/has-fact.ts';
import { dashed, type ShownRow, shownRows } from '../oracle/exchange/rows.ts';
import type { Profile } from '../profile/profile.ts';

/** A group of rules that passing traffic can show: what `watch` reports as one check. */
export interface PassiveCheck {
  readonly id: string;
  readonly title: string;
  readonly requirements: readonly [string, ...string[]];
  /** The traffic that must pass for it to be judged. */
  readonly needs: string;
  /** The facts that the profile must declare. */
  readonly facts?: readonly Fact[];
}

const shownNames = Object.keys(shownRows) as ShownRow[];

/** The checks that any exchange can show, under their names in a watch. */
const shown = Object.fromEntries(
  shownNames.map((name): [string, PassiveCheck] => {
    const { title, requirements, traffic } = shownRows[name];
    return [name, { id: `watch.${dashed(name)}`, title, requirements, needs: traffic }];
  }),
) as Readonly<Record<ShownRow, PassiveCheck>>;

/** The checks that also need reads of charges, or events. */
const told = {
  free: {
    id: 'watch.free',
    title: 'what was refused, and tasks that failed, cost nothing',
    requirements: ['BILL-008'],
    needs:
      'a read of what a call cost that was refused, or of a task that failed, at hooks.ledger or hooks.usage',
    facts: ['hooks.ledger'],
  },
  charges: {
    id: 'watch.charges',
    title: 'charges against the price list',
    requirements: ['BILL-002', 'BILL-001', 'BILL-012', 'BILL-013', 'BILL-014'],
    needs: 'a read of what a call with keys.K1 or K5 cost, at hooks.ledger or hooks.usage',
    facts: ['hooks.ledger', 'pricing.models', 'pricing.markup'],
  },
  usageLog: {
    id: 'watch.usage-log',
    title: 'one record for each call, with the counts of its answer, and its charge',
    requirements: ['BILL-009', 'BILL-001', 'BILL-006'],
    needs: 'a read of the usage record of a call, at hooks.usage',
    facts: ['hooks.usage'],
  },
  events: {
    id: 'watch.events',
    title:
      'events: signed at all, dated, of a task that has ended, one event for one end, the same when repeated',
    requirements: [
      ...(['HOOK-001', 'HOOK-003', 'HOOK-004', 'HOOK-005', 'HOOK-008', 'HOOK-009'] as const),
      ...['HOOK-013'],
    ],
    needs: 'an event on its way to its receiver (--events-listen, or in --har)',
  },
  signatures: {
    id: 'watch.event-signatures',
    title: 'signatures of events',
    requirements: ['HOOK-007', 'HOOK-010'],
    needs: 'an event on its way to its receiver (--events-listen, or in --har)',
    facts: ['webhooks.secret'],
  },
  eventUrls: {
    id: 'watch.event-urls',
    title: 'events go where their task asked for them, and nowhere without',
    requirements: ['HOOK-005', 'HOOK-002'],
    needs: 'an event, after the submission of its task',
  },
  eventOrder: {
    id: 'watch.event-order',
    title: 'events and reads of a task agree, and no read is behind the event',
    requirements: ['HOOK-012', 'HOOK-013'],
    needs: 'an event, and a read of its task',
  },
} as const satisfies Record<string, PassiveCheck>;

export type PassiveName = ShownRow | keyof typeof told;

export const passiveChecks: Readonly<Record<PassiveName, PassiveCheck>> = { ...shown, ...told };

export const passiveNames = Object.keys(passiveChecks) as PassiveName[];

/** The facts that a group lacks. Either the ledger or the usage log shows charges. */
export function lackingFacts({ facts = [] }: PassiveCheck, profile: Profile | null): readonly Fact[] {
  const lacking = profile === null ? facts : missingFacts(facts, profile);
  return lacking.filter((fact) => fact !== 'hooks.ledger' || profile?.hooks.usage === undefined);
}
