import type { CallerAddress } from './access/caller-address.ts';
import type { Directory } from './access/directory.ts';
import type { KeyRing } from './access/key-ring.ts';
import type { Slots } from './access/slots.ts';
import { Guesses } from './admin/guesses.ts';
import type { AppDeps } from './app-deps.ts';
import type { Catalogue } from './catalogue/chat-models.ts';
import { TestClock } from './clock.ts';
import { usualGuesses } from './config/admin.ts';
import type { Administration } from './endpoints/admin/administration.ts';
import type { BusinessDeps } from './endpoints/routes.ts';
import type { TestHooks } from './hooks/routes.ts';
import type { Channels } from './routing/channels.ts';
import type { JobService } from './services/tasks/job-service.ts';
import type { Tasks } from './services/tasks/tasks.ts';
import type { AbandonedCalls } from './upstreams/abandoned-calls.ts';
import type { UpstreamClient } from './upstreams/client.ts';
import { createSoleInstance } from './work/instances.ts';

/** Where nothing is known of other processes. */
const alone = createSoleInstance('alone');

/** What several services share. Created once. */
export interface Common {
  readonly catalogue: Catalogue;
  readonly keys: KeyRing;
  readonly hashKey: (secret: string) => string;
  readonly directory: Directory;
  readonly channels: Channels;
  readonly slots: Slots;
  readonly upstreams: UpstreamClient;
  readonly callerAddress: CallerAddress;
  readonly abandoned: AbandonedCalls;
  readonly newId: (prefix: string) => string;
  readonly linkTo: (file: string) => string;
  readonly callbackTo: (channelId: string) => string;
}

export function jobService(
  { config, clock, log, ledger, random, mediaFiles, instances }: AppDeps,
  { channels, upstreams, callbackTo }: Common,
  findTask: JobService['findTask'],
): JobService {
  const maxMediaBytes = config.media.most_bytes;
  const standing = instances ?? alone;
  const files = { mediaFiles, maxMediaBytes };
  return { channels, random, upstreams, standing, ...files, callbackTo, findTask, ledger, clock, log };
}

export function businessParts(parts: AppDeps, common: Common, tasks: Tasks): BusinessDeps {
  const { config, clock, log, ledger, metrics, prices, random, mediaFiles, outbound } = parts;
  const { keys, directory, slots, channels, upstreams, catalogue, abandoned, newId, linkTo } = common;
  const maxMediaBytes = config.media.most_bytes;
  const fallbacks = new Map(Object.entries(config.fallbacks));
  const answers = { ...ledger, settle: parts.settleAnswer };
  const standing = parts.instances ?? alone;
  const calling = { channels, random, upstreams, standing, abandoned, prices, clock };
  return {
    access: { keys, directory, slots, callerAddress: common.callerAddress },
    chat: {
      ...calling,
      ...{ catalogue, fallbacks, newId, log, metrics },
      ledger: answers,
      answerTokens: config.holds.answer_tokens,
    },
    images: {
      ...calling,
      ...{ mediaFiles, maxMediaBytes, linkTo },
      ledger: answers,
    },
    tasks: {
      ...{ tasks, channels, ledger, prices, linkTo, newId },
      deadlineMs: config.tasks.deadline_ms,
      clock: parts.steady,
    },
    urlRules: outbound,
    ledgerReader: parts.ledgerReader,
    extensions: config.extensions,
  };
}

export function administration(parts: AppDeps, common: Common, tasks: Tasks): Administration {
  const { config, clock, db, audit, log, ledger, ledgerReader, usageReader, webhooks } = parts;
  const { catalogue, directory, hashKey, newId, channels, slots, linkTo } = common;
  const onAuditFailure = (cause: unknown): void =>
    log.error({ cause }, 'a line of the audit trail could not be completed');
  const changes = { db, directory, catalogue, hashKey, newId, audit, onAuditFailure };
  const books = { ledger, ledgerReader, usageReader };
  const webhookOverlapMs = config.webhooks.overlap_ms;
  return { ...changes, ...books, channels, slots, tasks, webhooks, webhookOverlapMs, linkTo, clock };
}

/** Counts wrong admin tokens per address, and logs the address, never the token. */
export function guessesOf({ config, clock, log, metrics }: AppDeps): Guesses {
  return new Guesses({
    clock,
    limits: config.admin?.guesses ?? usualGuesses,
    onGuess: metrics.wrongAdminToken,
    onGuesses: (address, guesses) =>
      log.warn({ address, guesses }, 'wrong admin tokens came from an address'),
  });
}

/** The test hooks that the configuration enables; null without a test configuration. */
export function testHooks(parts: AppDeps, common: Common, tasks: Tasks): TestHooks | null {
  const { clock, db, ledger, ledgerReader, usageReader, webhooks, storeLink, siblings } = parts;
  const { test } = parts.config;
  if (test === undefined) return null;
  const { catalogue, directory, hashKey, newId, keys } = common;
  return {
    token: test.token,
    siblings,
    clock: test.clock && clock instanceof TestClock ? { clock, tasks, webhooks } : null,
    store: test.store ? storeLink : null,
    usage: test.usage ? usageReader : null,
    ledger: test.ledger ? ledgerReader : null,
    accounts: test.accounts ? { db, directory, catalogue, hashKey, newId, keys, ledger, clock } : null,
  };
}
