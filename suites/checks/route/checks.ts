import type { Check } from '../../engine/check.ts';
import { breakerKeepsItsParameters } from './breaker-timelines.ts';
import { breakingComesLast } from './breaking-streams.ts';
import { busyTasksStayWhole } from './busy-tasks.ts';
import { failedChannelIsNamed } from './channel-named.ts';
import { fallbackTellsItsModel, otherChannelKeepsTheModel } from './fallback.ts';
import { fallbackCanDoIt } from './fallback-capability.ts';
import { fallbackServesWhileOut } from './fallback-causes.ts';
import { fallbackIsEnabled } from './fallback-enabled.ts';
import { hangingJobsAreOneModels } from './hanging-jobs.ts';
import { failingComesLast, preferredComesFirst, slowComesLast, stumblingComesLast } from './healthiest.ts';
import { everyFormOfHint } from './hint-forms.ts';
import { lateIsNotTooLate } from './in-time.ts';
import { leavingIsNoFailure } from './left-calls.ts';
import { mediaRetriesAreWhole } from './media-whole-request.ts';
import { nothingIsRunAgain } from './no-restart.ts';
import { outageIsOneModels, outageIsQuick } from './outage.ts';
import { busyChannelsAreFull, fullChannelIsFull } from './queue-full.ts';
import { breakerClosesByItself } from './recovery.ts';
import { blocksAreNoOutage, requestFaultsAreNoOutage } from './request-faults.ts';
import { hintsAreKept } from './retry-hints.ts';
import { roomComesBack } from './room-back.ts';
import { staleConnectionsAreLeft } from './stale-connections.ts';
import { silenceIsTakenOver, takeoverChecks } from './takeover.ts';
import { otherChannelStartsTheTask } from './task-takeover.ts';
import { retryAfterTimeoutSucceeds, timeoutIsRetriedOnce } from './timeout.ts';
import { junkIsUpstreamError } from './unclassifiable.ts';
import { fallbackIsWhole, retriesAreWhole } from './whole-request.ts';

/** The area ROUTE, and rows of others that only several channels can show. */
export const routeChecks: readonly Check[] = [
  failingComesLast,
  stumblingComesLast,
  slowComesLast,
  preferredComesFirst,
  ...takeoverChecks,
  silenceIsTakenOver,
  fallbackTellsItsModel,
  otherChannelKeepsTheModel,
  timeoutIsRetriedOnce,
  retryAfterTimeoutSucceeds,
  junkIsUpstreamError,
  outageIsQuick,
  outageIsOneModels,
  hangingJobsAreOneModels,
  busyChannelsAreFull,
  fullChannelIsFull,
  breakerClosesByItself,
  breakerKeepsItsParameters,
  blocksAreNoOutage,
  requestFaultsAreNoOutage,
  leavingIsNoFailure,
  failedChannelIsNamed,
  hintsAreKept,
  nothingIsRunAgain,
  everyFormOfHint,
  retriesAreWhole,
  fallbackIsWhole,
  mediaRetriesAreWhole,
  staleConnectionsAreLeft,
  fallbackServesWhileOut,
  fallbackIsEnabled,
  fallbackCanDoIt,
  roomComesBack,
  lateIsNotTooLate,
  breakingComesLast,
  otherChannelStartsTheTask,
  busyTasksStayWhole,
];
