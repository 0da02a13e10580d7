import { Agent, buildConnector, Pool } from 'undici';
import type { Clock } from '../clock.ts';
import type { UpstreamLimits } from '../config.ts';
import type { Outbound } from '../outbound/outbound.ts';
import {
  Call,
  type CallDeps,
  type UpstreamQuestion,
  type UpstreamReply,
  type UpstreamRequest,
} from './call.ts';
import { type ClientLeft, failure, type UpstreamFailure } from './outcome.ts';
import { timedConnector } from './timed-connector.ts';
import { maxHeaderBytes, TracedClient } from './traced-client.ts';

export interface UpstreamClient {
  /** Sends a POST and resolves with the head of the answer; never rejects. */
  post(request: UpstreamRequest): Promise<UpstreamReply | UpstreamFailure | ClientLeft>;
  /** The same for a GET; a guarded one connects to public addresses only. */
  get(question: UpstreamQuestion): Promise<UpstreamReply | UpstreamFailure | ClientLeft>;
  close(): Promise<void>;
}

/**
 * The HTTP client for all upstreams: one pool per host, no redirects, no headers of the caller. undici's own
 * timeouts are off; the deadlines use the given clock. `outbound` connects to addresses that upstreams name.
 */
export function createUpstreamClient(
  limits: UpstreamLimits,
  clock: Clock,
  outbound: Outbound,
): UpstreamClient {
  const agentOver = (connect: buildConnector.connector): Agent =>
    agentOf(timedConnector(connect, limits.connect_timeout_ms, clock));
  const connect = buildConnector({ timeout: 0, allowH2: false });
  const kept = agentOver(connect);
  // Never reuses a connection, because none of its calls leaves one open.
  const fresh = agentOver(connect);
  // The same here, so that each call is checked against the current address of its host.
  const guarded = agentOver(outbound.connect);
  const deps: CallDeps = { kept, fresh, limits, clock };
  const guardedDeps: CallDeps = { kept: guarded, fresh: guarded, limits, clock };
  return {
    post: (request) => new Call(deps, request).send(request, request.body),
    get: async (question) => {
      if (question.isGuarded !== true) return await new Call(deps, question).send(question, null);
      if (outbound.refuse(question.url, 'file') !== null) return failure('unusable', 'a link to nowhere');
      return await new Call(guardedDeps, question).send({ ...question, isFresh: true }, null);
    },
    close: async () => {
      await Promise.all([kept.destroy(), fresh.destroy(), guarded.destroy()]);
    },
  };
}

function agentOf(connect: buildConnector.connector): Agent {
  const options = { headersTimeout: 0, bodyTimeout: 0, maxHeaderSize: maxHeaderBytes, allowH2: false };
  return new Agent({
    ...options,
    factory: (origin) =>
      new Pool(origin, { ...options, factory: (line) => new TracedClient(line, { ...options, connect }) }),
  });
}
