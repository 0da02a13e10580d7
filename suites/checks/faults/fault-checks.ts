import type { Check } from '../../engine/check.ts';
import { loadFaults } from '../../oracle/fault-facts.ts';
import { checkByVerdict } from './by-verdict.ts';
import { outageCheck } from './outages/outage-checks.ts';
import { faultsAreChargedByUsage } from './special/charges.ts';
import { eventsOfManyLines } from './special/within-events.ts';

/** One check for each fault of the catalogue, by name, and two that go beyond the forms of a fault. */
export const faultChecks: readonly Check[] = [
  ...loadFaults().map((facts) => (facts.scenario === undefined ? checkByVerdict(facts) : outageCheck(facts))),
  eventsOfManyLines,
  faultsAreChargedByUsage,
];
