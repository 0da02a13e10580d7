import type { Caller } from '../../access/caller.ts';
import type { Gone } from '../../gone.ts';
import type { ChatRequest } from '../../requests/chat-request.ts';
import { type Attempted, type AttemptResult, attempt } from '../../routing/attempt.ts';
import { failurePolicy } from '../../routing/failure-policy.ts';
import { watchChat } from '../../routing/watch-stream.ts';
import { witnessOf } from '../../routing/witness.ts';
import type { OutlivingCall } from '../../upstreams/abandoned-calls.ts';
import type { Completion, OpenStream } from '../../upstreams/outcome.ts';
import type { ChatService } from './chat-service.ts';
import { complete, withRoom } from './dialects.ts';
import { fitToFallback } from './fallback.ts';
import type { Route } from './route.ts';

/** The answer of a chat upstream. */
type ChatAnswer = Completion | OpenStream;

/** A request after its upstream calls. */
export interface Dispatched extends Attempted<ChatAnswer> {
  /** The request as it was last sent: its model is the one that answered or failed. */
  readonly served: ChatRequest;
}

export interface Dispatching {
  readonly service: ChatService;
  readonly caller: Caller;
  readonly request: ChatRequest;
  readonly route: Route;
  readonly gone: Gone;
  /** The upstream call, which may outlive its caller. */
  readonly call: OutlivingCall;
}

/**
 * Makes the attempts at the requested model, then those at its declared fallback. If no channel of the requested
 * model was called and the fallback has no answer either, throws the refusal of the requested model.
 */
export async function dispatch(dispatching: Dispatching): Promise<Dispatched> {
  const { service, caller, request, route, gone } = dispatching;
  const own = await attemptOn(dispatching, route, request);
  const other = isSpent(own) && !gone.aborted ? await fitToFallback(service, caller, request, gone) : null;
  if (other !== null) {
    const result = await attemptOn(dispatching, other.route, other.request);
    const before = own.kind === 'tried' ? own.attempts : 0;
    const attempts = before + (result.kind === 'tried' ? result.attempts : 0);
    if (result.kind === 'tried' && isForCaller(result)) return { ...result, attempts, served: other.request };
    if (own.kind === 'tried') return { ...own, attempts, served: request };
  }
  if (own.kind === 'untried') throw own.refusal;
  return { ...own, served: request };
}

function attemptOn(
  dispatching: Dispatching,
  route: Route,
  asked: ChatRequest,
): Promise<AttemptResult<ChatAnswer>> {
  const { service, call } = dispatching;
  const begin = (request: ChatRequest): Promise<AttemptResult<ChatAnswer>> =>
    attemptWith(dispatching, route, request);
  const request = withRoom(service, route.channels, route.preferred, asked, call.cut);
  return request instanceof Promise ? request.then(begin) : begin(request);
}

function attemptWith(
  { service, caller, gone: left, call: { cut: gone, end } }: Dispatching,
  { channels, preferred }: Route,
  request: ChatRequest,
): Promise<AttemptResult<ChatAnswer>> {
  return attempt({
    channels,
    preferred,
    kind: request.stream ? 'stream' : 'plain',
    random: service.random,
    standing: service.standing,
    gone: left,
    witness: witnessOf(caller),
    cut: end,
    call: (channel, isFresh) => complete(service, { channel, isFresh }, request, gone),
    watch: watchChat,
  });
}

/**
 * Whether the caller gets the result of the fallback model. Not if no channel was called, because the caller had
 * disconnected. Not if the fallback rejects the request either: it was made for the first model, and may be valid
 * there.
 */
function isForCaller({ attempts, outcome }: Attempted<ChatAnswer>): boolean {
  if (attempts === 0) return false;
  return outcome.kind !== 'failure' || failurePolicy[outcome.reason].blame !== 'nobody';
}

/** Whether the channels of a model are exhausted, so that another model may do better. */
function isSpent(result: AttemptResult<ChatAnswer>): boolean {
  if (result.kind === 'untried') return true;
  const { outcome } = result;
  return outcome.kind === 'failure' && failurePolicy[outcome.reason].retry !== 'never';
}
