import { type Fact, missingFacts } from '../engine/facts.ts';
import type { Profile } from '../profile/profile.ts';

/** A group of rules that passing traffic can show: what `watch` reports as one check. */
export interface PassiveCheck {
  readonly id: string;
  readonly title: string;
  readonly requirements: readonly [string, ...string[]];
  /** What has to pass for it to be judged. */
  readonly needs: string;
  /** What the profile has to declare besides. */
  readonly facts?: readonly Fact[];
}

export const passiveChecks = {
  chat: {
    id: 'watch.chat',
    title: 'whole answers of chat: status, form, model, usage',
    requirements: [
      ...([
        'RESP-023',
        'RESP-001',
        'RESP-002',
        'RESP-003',
        'RESP-004',
        'RESP-006',
        'RESP-007',
        'RESP-008',
      ] as const),
      ...['RESP-009', 'RESP-014', 'RESP-020', 'RESP-021', 'TOOL-008', 'TOOL-009', 'TOOL-017'],
    ],
    needs: 'a chat that is answered',
  },
  stream: {
    id: 'watch.stream',
    title: 'streams of chat: grammar, chunks, order, end, usage',
    requirements: [
      ...(['SSE-001', 'SSE-002', 'SSE-003', 'SSE-004', 'SSE-005', 'SSE-008', 'SSE-009'] as const),
      ...['SSE-012', 'SSE-013', 'SSE-016', 'TOOL-018'],
    ],
    needs: 'a chat that is streamed',
  },
  errors: {
    id: 'watch.errors',
    title: 'refusals: form, code, status and type by the error table, no leaks',
    requirements: ['ERR-001', 'ERR-002', 'ERR-003', 'ERR-004', 'ERR-005', 'ERR-006', 'ERR-007', 'ERR-008'],
    needs: 'a refusal',
  },
  compatA: {
    id: 'watch.compat-a',
    title: 'answers and streams of compat path A',
    requirements: ['COMPA-010'],
    needs: 'a call of compat path A that is answered',
  },
  compatB: {
    id: 'watch.compat-b',
    title: 'answers and streams of compat path B',
    requirements: ['COMPB-010', 'COMPB-011'],
    needs: 'a call of compat path B that is answered',
  },
  images: {
    id: 'watch.images',
    title: 'answers to image requests',
    requirements: ['IMG-001', 'IMG-012', 'IMG-013', 'IMG-018'],
    needs: 'an image request that is answered',
  },
  tasks: {
    id: 'watch.tasks',
    title: 'submissions and reads of tasks, each by itself',
    requirements: ['TASK-009', 'TASK-011', 'TASK-012', 'TASK-014'],
    needs: 'a task that is submitted or read',
  },
  traces: {
    id: 'watch.traces',
    title: 'the states of a task over all reads',
    requirements: ['STATE-002', 'STATE-008', 'STATE-009'],
    needs: 'a task that is read twice',
  },
  models: {
    id: 'watch.models',
    title: 'the list of models',
    requirements: ['EP-010', 'EP-003'],
    needs: 'GET /api/v1/models',
  },
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
      ...(['HOOK-001', 'HOOK-003', 'HOOK-004', 'HOOK-008', 'HOOK-009'] as const),
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
    title: 'events and reads of a task tell the same, and no read is behind the event',
    requirements: ['HOOK-012', 'HOOK-013'],
    needs: 'an event, and a read of its task',
  },
} as const satisfies Record<string, PassiveCheck>;

export type PassiveName = keyof typeof passiveChecks;

export const passiveNames = Object.keys(passiveChecks) as PassiveName[];

/** The facts that a group lacks. Charges are shown by the ledger or by the usage log. */
export function lackingFacts({ facts = [] }: PassiveCheck, profile: Profile | null): readonly Fact[] {
  const lacking = profile === null ? facts : missingFacts(facts, profile);
  return lacking.filter((fact) => fact !== 'hooks.ledger' || profile?.hooks.usage === undefined);
}
