import type { Server } from 'node:http';
import type { Logger } from 'pino';
import type { KeyRecord } from './access/caller.ts';
import { keyHasher } from './access/hash-key.ts';
import { createKeyRing } from './access/key-ring.ts';
import { createMemorySlots } from './access/slots.ts';
import type { UsageWriter } from './billing/usage-writer.ts';
import { catalogueWith } from './catalogue/chat-models.ts';
import { type Clock, TestClock } from './clock.ts';
import type { Config } from './config.ts';
import type { Gateway } from './endpoints/gateway.ts';
import { createRouter } from './endpoints/routes.ts';
import { serve } from './endpoints/serve.ts';
import { createHttpServer } from './http/server.ts';
import { createChannels } from './routing/channels.ts';
import { createUpstreamClient } from './upstreams/client.ts';

export interface AppParts {
  readonly config: Config;
  readonly clock: Clock;
  readonly keys: readonly KeyRecord[];
  readonly usage: Pick<UsageWriter, 'write'>;
  /** Source of randomness: an id of at least 128 bits in URL-safe letters. */
  readonly randomId: () => string;
  readonly log: Logger;
}

export interface App {
  readonly server: Server;
  readonly gateway: Gateway;
  /** Ends every connection to upstreams. */
  close(): Promise<void>;
}

/** A request lasts at most two attempts and its own reading; a slot that is older was forgotten. */
const SLOT_SLACK_MS = 120_000;

/** Puts the gateway together. It does not listen yet. */
export function createApp(parts: AppParts): App {
  const { config, clock, log } = parts;
  const newId = (prefix: string): string => prefix + parts.randomId();
  const slotTtlMs = 2 * config.upstream.total_timeout_ms + 2 * config.limits.body_timeout_ms + SLOT_SLACK_MS;
  const hookToken = config.test?.clock === true ? config.test.token : null;
  const gateway: Gateway = {
    limits: config.limits,
    catalogue: catalogueWith(config.chat_models),
    clock,
    keys: createKeyRing(parts.keys, keyHasher(config.key_pepper)),
    slots: createMemorySlots(clock, () => newId('slot_'), slotTtlMs),
    channels: createChannels(config.channels),
    upstreams: createUpstreamClient(config.upstream, clock),
    usage: parts.usage,
    adminToken: config.admin?.token ?? null,
    clockHook: hookToken !== null && clock instanceof TestClock ? { clock, token: hookToken } : null,
    newId,
    log,
  };
  const server = createHttpServer({
    limits: config.limits,
    clock,
    newRequestId: () => newId('req_'),
    route: createRouter(gateway),
    refuse: (exchange, refusal) => {
      void serve(exchange, gateway, 'none', () => {
        throw refusal;
      });
    },
    logFault: (requestId, { status, code }) => {
      log.info({ request_id: requestId, route: 'none', status, code, ms: 0, key_id: null }, 'request');
    },
  });
  return { server, gateway, close: () => gateway.upstreams.close() };
}
