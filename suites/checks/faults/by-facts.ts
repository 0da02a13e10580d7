import type { Check } from '../../engine/check.ts';
import { loadFaults, loadPictureFaults } from '../../oracle/faults/fault-facts.ts';
import { loadJobFaults } from '../../oracle/faults/job-fault-facts.ts';
import { loadWebhookFaults } from '../../oracle/faults/webhook-fault-facts.ts';
import { checkByVerdict } from './by-verdict.ts';
import { checkByTaskVerdict } from './jobs/by-task-verdict.ts';
import { outageCheck } from './outages/outage-checks.ts';
import { checkByPictureVerdict } from './pictures/by-picture-verdict.ts';
import { checkByReceiverVerdict } from './webhooks/by-receiver-verdict.ts';
import { checkByReportVerdict } from './webhooks/by-report-verdict.ts';

const webhookFaults = loadWebhookFaults();

/** One check for each fault of the catalogue, by name. */
export const faultChecks: readonly Check[] = [
  ...loadFaults().map((facts) => (facts.scenario === undefined ? checkByVerdict(facts) : outageCheck(facts))),
  ...loadPictureFaults().map(checkByPictureVerdict),
  ...loadJobFaults().map(checkByTaskVerdict),
  ...webhookFaults.reports.map(checkByReportVerdict),
  ...webhookFaults.receivers.map(checkByReceiverVerdict),
];
