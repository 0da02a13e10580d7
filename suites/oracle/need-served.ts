import { Untestable } from '../rules/violation.ts';
import { type Exchange, errorCodeOf, outcomeOf } from '../wire/exchange.ts';

/** The aspects of a call that only has to be served, so that something else can be judged by it. */
const needed = ['twin-served', 'key-served'];

/** Statuses by which a service says that it is up, but serves no call now. */
const unavailable = [429, 503];

/**
 * Ends a check without a verdict where the call beside the one in question is not served for lack of capacity: that has
 * rules and checks of its own. What is refused for another reason is judged as before.
 * @throws Untestable with what the call got.
 */
export function needServed(exchange: Exchange, aspect: string): void {
  if (needed.includes(aspect) && unavailable.includes(exchange.response?.status ?? 503)) notServed(exchange);
}

/** The same for a route that takes nothing: with a good key there is no reason at all to refuse it. */
export function needAnswered(exchange: Exchange, aspect: string): void {
  const status = exchange.response?.status ?? 503;
  if (needed.includes(aspect) && status >= 400 && status !== 401 && status !== 403) notServed(exchange);
}

function notServed(exchange: Exchange): never {
  const code = errorCodeOf(exchange);
  const got = typeof code === 'string' ? `${outcomeOf(exchange)} ${code}` : outcomeOf(exchange);
  throw new Untestable(`a call that is served (${exchange.label} got ${got})`);
}
