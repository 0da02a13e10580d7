import { signedEvent, signedText } from './event-signature.ts';
import type { EventRoute, Mutation, ProxyAnswer, ProxyRequest } from './mutation.ts';
import { headerOf } from './proxy-headers.ts';

/** Where events go, and the secrets that sign them. */
export interface EventPlaces {
  /** The start of inbox URLs at the suites' receiver, without a slash at the end. */
  readonly receiver: string;
  /** The start of inbox URLs at its plain HTTP listener. */
  readonly plain: string;
  /** The certificate that verifies the receiver, PEM. */
  readonly ca: string;
  /** The known accounts: their keys, and the secret that signs their events. */
  readonly accounts: readonly { readonly keys: readonly string[]; readonly secret: string }[];
}

/** What an event mutation needs of its relay. */
export interface EventWay extends EventPlaces {
  /** The start of URLs that lead to the relay under this mutation. */
  readonly relayOrigin: string;
  readonly send: (origin: string, event: ProxyRequest, signal: AbortSignal | null) => Promise<ProxyAnswer>;
}

/** The most event ids whose attempts are counted; after this many other ids, an event counts from 1 again. */
const maxIds = 10_000;

/**
 * The mutation of one gateway's events. Requests name the relay instead of the receiver, so events pass through
 * the mutation.
 */
export class EventMutation {
  readonly #mutation: Mutation;
  readonly #way: EventWay;
  readonly #attempts = new Map<string, number>();

  constructor(mutation: Mutation, way: EventWay) {
    this.#mutation = mutation;
    this.#way = way;
  }

  /** Rewrites the webhook_url of a request to the gateway, so that it points to the relay. */
  upstreamProxy(request: ProxyRequest): ProxyRequest {
    const { receiver, relayOrigin } = this.#way;
    if (this.#mutation.deliver === undefined || request.method !== 'POST') return request;
    const account = this.#accountOf(request);
    const text = request.body.toString('latin1');
    // Edits the text instead of the object, so that everything else stays identical.
    const changed = text.replace(
      /("webhook_url"\s*:\s*")([^"]*)/g,
      (whole: string, before: string, url: string) =>
        url.startsWith(`${receiver}/`)
          ? `${before}${relayOrigin}.${account}${url.slice(receiver.length)}`
          : whole,
    );
    return changed === text ? request : { ...request, body: Buffer.from(changed, 'latin1') };
  }

  /**
   * Passes an event of the gateway through the mutation. `account` is what `upstreamProxy` wrote into the URL.
   */
  async deliver(event: ProxyRequest, account: number, signal: AbortSignal): Promise<ProxyAnswer> {
    const eventRoute = this.#eventRoute(account, signal);
    const attempt = this.#nextAttempt(headerOf(event.headers, 'webhook-id'));
    const { deliver } = this.#mutation;
    return deliver === undefined ? eventRoute.forward(event) : deliver(event, { ...eventRoute, attempt });
  }

  /** Lets the mutation send its own events. Their errors are ignored. */
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
