import { Socket } from 'node:net';
import { Agent, buildConnector, Pool } from 'undici';
import type { Clock } from '../clock.ts';
import type { UpstreamLimits } from '../config.ts';
import {
  Call,
  type CallMeans,
  type UpstreamQuestion,
  type UpstreamReply,
  type UpstreamRequest,
} from './call.ts';
import { Line, MAX_HEADER_BYTES } from './line.ts';
import type { ClientLeft, UpstreamFailure } from './outcome.ts';
import { ConnectTimeout } from './transport-errors.ts';

export interface UpstreamClient {
  /** Sends one POST and resolves with the head of the answer; never rejects. */
  post(request: UpstreamRequest): Promise<UpstreamReply | UpstreamFailure | ClientLeft>;
  /** The same for a GET. */
  get(question: UpstreamQuestion): Promise<UpstreamReply | UpstreamFailure | ClientLeft>;
  close(): Promise<void>;
}

/**
 * The way to every upstream: one pool a host, redirects never followed, nothing of the caller's headers passed on.
 * undici's own timeouts are off; the deadlines run on the given clock.
 */
export function createUpstreamClient(limits: UpstreamLimits, clock: Clock): UpstreamClient {
  const connect = timedConnector(limits.connect_timeout_ms, clock);
  const kept = agentOver(connect);
  // Never finds an idle connection, because none of its calls leaves one.
  const fresh = agentOver(connect);
  const means: CallMeans = { kept, fresh, limits, clock };
  return {
    post: (request) => new Call(means, request).send(request, request.body),
    get: (question) => new Call(means, question).send(question, null),
    close: async () => {
      await Promise.all([kept.destroy(), fresh.destroy()]);
    },
  };
}

function agentOver(connect: buildConnector.connector): Agent {
  const options = { headersTimeout: 0, bodyTimeout: 0, maxHeaderSize: MAX_HEADER_BYTES, allowH2: false };
  return new Agent({
    ...options,
    factory: (origin) =>
      new Pool(origin, { ...options, factory: (line) => new Line(line, { ...options, connect }) }),
  });
}

/** undici's connector with a deadline on our clock instead of its own. */
function timedConnector(timeoutMs: number, clock: Clock): buildConnector.connector {
  const connect = buildConnector({ timeout: 0, allowH2: false });
  return (options, callback) => {
    let settled = false;
    const late = clock.schedule(timeoutMs, () => {
      if (settled) return;
      settled = true;
      if (socket instanceof Socket) socket.destroy();
      callback(new ConnectTimeout(), null);
    });
    // The types do not say it, but the connector returns the socket that it opens.
    const socket: unknown = connect(options, (...result) => {
      late.cancel();
      if (settled) return;
      settled = true;
      callback(...result);
    });
  };
}
