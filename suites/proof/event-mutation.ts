import type { EventRoute, Mutation, ProxyAnswer, ProxyRequest } from '../mutation/mutation.ts';
import { headerOf } from '../mutation/proxy-headers.ts';
import { signedEvent, signedText } from './event-signature.ts';

/** Where events go, and what their accounts sign with. */
export interface EventPlaces {
  /** Of the receiver of the suites: what URLs of its inboxes begin with, without a slash at the end. */
  readonly receiver: string;
  /** Where it listens for plain HTTP, likewise. */
  readonly plain: string;
  /** What vouches for its certificate, PEM. */
  readonly ca: string;
  /** The accounts that are known: their keys, and the secret that signs their events. */
  readonly accounts: readonly { readonly keys: readonly string[]; readonly secret: string }[];
}

/** What an event mutation needs of the relay that it is a part of. */
export interface EventWay extends EventPlaces {
  /** What URLs begin with that lead to the relay under this mutation. */
  readonly relayOrigin: string;
  readonly send: (origin: string, event: ProxyRequest, signal: AbortSignal | null) => Promise<ProxyAnswer>;
}

/** An event longer ago than so many others is the first of its id again. */
const maxIds = 10_000;

/** One gateway's mutation of events: requests name the relay in place of the receiver, and events pass the mutation. */
export class EventMutation {
  readonly #mutation: Mutation;
  readonly #way: EventWay;
  readonly #attempts = new Map<string, number>();

  constructor(mutation: Mutation, way: EventWay) {
    this.#mutation = mutation;
    this.#way = way;
  }

  /** The request as the gateway behind is to see it: its webhook_url leads to the relay. */
  upstreamProxy(request: ProxyRequest): ProxyRequest {
    const { receiver, relayOrigin } = this.#way;
    if (this.#mutation.deliver === undefined || request.method !== 'POST') return request;
    const account = this.#accountOf(request);
    const text = request.body.toString('latin1');
    // The text is changed, and not the object: everything else stays as it was written.
    const changed = text.replace(
      /("webhook_url"\s*:\s*")([^"]*)/g,
      (whole: string, before: string, url: string) =>
        url.startsWith(`${receiver}/`)
          ? `${before}${relayOrigin}.${account}${url.slice(receiver.length)}`
          : whole,
    );
    return changed === text ? request : { ...request, body: Buffer.from(changed, 'latin1') };
  }

  /** Passes an event of the gateway through the mutation. `account` as `upstreamProxy` has written it. */
  async deliver(event: ProxyRequest, account: number, signal: AbortSignal): Promise<ProxyAnswer> {
    const eventRoute = this.#eventRoute(account, signal);
    const attempt = this.#nextAttempt(headerOf(event.headers, 'webhook-id'));
    const { deliver } = this.#mutation;
    return deliver === undefined ? eventRoute.forward(event) : deliver(event, { ...eventRoute, attempt });
  }

  /** Lets the mutation send events of its own. What goes wrong with them is nobody's business. */
  announce(request: ProxyRequest, answer: ProxyAnswer | null): void {
    const announced = this.#mutation.announces?.(
      request,
      answer,
      this.#eventRoute(this.#accountOf(request), null),
    );
    announced?.catch(() => undefined);
  }

  #eventRoute(account: number, signal: AbortSignal | null): EventRoute {
    const { receiver, plain, accounts, send } = this.#way;
    const secret = (): string => {
      const known = accounts[account]?.secret;
      if (known === undefined) throw new Error('nobody knows the secret of this account');
      return known;
    };
    return {
      forward: (event, origin = receiver) => send(origin, event, signal),
      sign: (event, claims = {}) => signedEvent(event, secret(), claims),
      knowsSecret: accounts[account] !== undefined,
      signText: (event, text) => signedText(event, secret(), text),
      plainOrigin: plain,
      pathOf: (url) =>
        typeof url === 'string' && url.startsWith(`${receiver}/`) ? url.slice(receiver.length) : null,
    };
  }

  #accountOf(request: ProxyRequest): number {
    const [, key] = /^bearer (.+)$/i.exec(headerOf(request.headers, 'authorization')) ?? [];
    return this.#way.accounts.findIndex(({ keys }) => key !== undefined && keys.includes(key));
  }

  #nextAttempt(id: string): number {
    const attempt = (this.#attempts.get(id) ?? 0) + 1;
    this.#attempts.delete(id);
    this.#attempts.set(id, attempt);
    for (const known of this.#attempts.keys()) {
      if (this.#attempts.size <= maxIds) break;
      this.#attempts.delete(known);
    }
    return attempt;
  }
}
