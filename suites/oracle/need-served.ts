import { Untestable } from '../rules/violation.ts';
import { type Exchange, errorCodeOf, outcomeOf } from '../wire/exchange.ts';
import { modelIn } from '../wire/named-model.ts';

/** The aspects of a call that only has to be served, so that something else can be judged by it. */
const needed = ['twin-served', 'key-served'];

/** Statuses of a service that is up but cannot serve a call now. */
const unavailable = [429, 503];

/**
 * Ends a check without a verdict when a call that it needs fails for lack of capacity, which other checks judge. Other
 * refusals are judged as before.
 * @throws Untestable with the call's outcome.
 */
export function needServed(exchange: Exchange, aspect: string): void {
  if (needed.includes(aspect) && unavailable.includes(exchange.response?.status ?? 503)) notServed(exchange);
}

/** The same for a route without a body: with a valid key nothing justifies a refusal. */
export function needAnswered(exchange: Exchange, aspect: string): void {
  const status = exchange.response?.status ?? 503;
  if (needed.includes(aspect) && status >= 400 && status !== 401 && status !== 403) notServed(exchange);
}

function notServed(exchange: Exchange): never {
  throw new Untestable(servedCall(exchange));
}

/** What a check lacks whose call was not served, with the deployment's own name of the model. */
export function servedCall(exchange: Exchange): string {
  const code = errorCodeOf(exchange);
  const got = typeof code === 'string' ? `${outcomeOf(exchange)} ${code}` : outcomeOf(exchange);
  const [asked, sent] = [exchange.request, exchange.carried?.request ?? exchange.request].map(({ body }) =>
    modelIn(body),
  );
  const label = !asked || !sent ? exchange.label : exchange.label.replace(asked, sent);
  return `a call that is served (${label} got ${got})`;
}
