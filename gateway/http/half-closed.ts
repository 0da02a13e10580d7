import type { Clock } from '../clock.ts';
import type { Exchange, HalfClosedExchanges } from './exchange.ts';
import { writeComment } from './send-events.ts';

/** Waits before each look whether a client has refused the bytes. Their sum is the time between two questions, ms. */
const looksMs = [10, 40, 150, 800] as const;

/**
 * Exchanges whose clients have closed their side. A client that has left looks like one that still reads, until bytes reach it:
 * it refuses them. So each client is sent bytes that mean nothing, again and again, since it may leave later.
 */
export class HalfClosed implements HalfClosedExchanges {
  readonly #line: Pick<Clock, 'schedule'>;
  readonly #looks = new Map<Exchange, { cancel(): void }>();
  /** Those that have taken no bytes yet. */
  readonly #mayHaveLeft = new Set<Exchange>();

  /** `line`: real time, as for all that depends on the network. */
  constructor(line: Pick<Clock, 'schedule'>) {
    this.#line = line;
  }

  add(exchange: Exchange): void {
    this.#mayHaveLeft.add(exchange);
    this.#ask(exchange);
  }

  delete(exchange: Exchange): void {
    this.#looks.get(exchange)?.cancel();
    this.#looks.delete(exchange);
    this.#mayHaveLeft.delete(exchange);
  }

  async cutOne(user: string, except: Exchange): Promise<boolean> {
    for (const exchange of this.#mayHaveLeft) {
      if (exchange === except || exchange.facts.user !== user) continue;
      exchange.cut();
      await exchange.over();
      return true;
    }
    return false;
  }

  #ask(exchange: Exchange): void {
    const isAsked = ask(exchange);
    const look = ([waitMs, ...later]: readonly number[]): void => {
      if (waitMs === undefined) {
        if (isAsked) this.#mayHaveLeft.delete(exchange);
        this.#ask(exchange);
        return;
      }
      const looking = this.#line.schedule(waitMs, () => {
        noticeReset(exchange);
        look(later);
      });
      this.#looks.set(exchange, looking);
    };
    look(looksMs);
  }
}

/** Sends a client bytes that mean nothing. False where its answer has no place for them. */
function ask(exchange: Exchange): boolean {
  const { incoming, outgoing, facts } = exchange;
  if (facts.firstEventMs !== null) writeComment(exchange);
  // A client of HTTP/1.0 knows no interim answers.
  else if (!outgoing.headersSent && incoming.httpVersionMinor > 0) outgoing.writeContinue();
  else return false;
  return true;
}

const nothing = Buffer.alloc(0);

/** Node does not watch a connection that has nothing more to read. So only a write closes one that the client has reset. */
function noticeReset({ incoming: { socket } }: Exchange): void {
  if (socket.writable && socket.writableLength === 0) socket.write(nothing);
}
