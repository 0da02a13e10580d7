import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { refuseForeign } from '../../foreign-caller.ts';
import { listenOnLoopback } from '../../loopback.ts';
import { type Done, deskSays, type Order } from '../../runner/ask-desk.ts';
import type { JobResult, JobTarget } from '../../runner/run-input.ts';

interface Ticket extends Order {
  readonly settle: (result: JobResult | null) => void;
  /** When a lane took it, ms of `performance`; 0 until then. */
  since: number;
}

/** A lane is asked to come again before its HTTP client loses patience, ms. */
const patienceMs = 20_000;

/** Gives jobs to the lanes of a runner one by one, in the order in which they were asked for. */
export class JobDesk {
  readonly url: string;
  readonly #server: Server;
  #isOver = false;
  #last = 0;
  #waiting: Ticket[] = [];
  readonly #underWay = new Map<number, Ticket>();
  readonly #idle: ServerResponse[] = [];

  private constructor(server: Server, port: number) {
    this.#server = server;
    this.url = `http://127.0.0.1:${port}`;
    server.on('request', (request, response) => void this.#serve(request, response));
  }

  static async start(): Promise<JobDesk> {
    const server = createServer();
    return new JobDesk(server, await listenOnLoopback(server));
  }

  /** What the check finds on the target; null when the desk closed before, or the target was withdrawn. */
  judge(target: JobTarget, check: string): Promise<JobResult | null> {
    const { promise, resolve } = Promise.withResolvers<JobResult | null>();
    if (this.#isOver) return Promise.resolve(null);
    this.#last += 1;
    this.#waiting.push({ ticket: this.#last, check, target, settle: resolve, since: 0 });
    this.#hand();
    return promise;
  }

  /** Forgets the jobs of a target that no lane has begun, and waits for none of those under way. */
  withdraw(target: JobTarget): void {
    const isIts = (one: Ticket): boolean => one.target.id === target.id;
    for (const one of [...this.#waiting, ...this.#underWay.values()]) if (isIts(one)) one.settle(null);
    this.#waiting = this.#waiting.filter((one) => !isIts(one));
  }

  /** The jobs that lanes took longer ago than this and have not told about, each in words. */
  overdue(limitMs: number): string[] {
    const now = performance.now();
    return [...this.#underWay.values()]
      .filter(({ since }) => now - since > limitMs)
      .map(
        ({ check, target, since }) => `${check} on ${target.id} for ${Math.round((now - since) / 1000)} s`,
      );
  }

  /** Lanes that ask from now on are told that there is nothing left. */
  end(): void {
    this.#isOver = true;
    for (const one of [...this.#waiting, ...this.#underWay.values()]) one.settle(null);
    this.#waiting = [];
    for (const response of this.#idle.splice(0)) say(response, deskSays.over);
  }

  async close(): Promise<void> {
    this.end();
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (refuseForeign(request, response)) return;
    const done = JSON.parse(await text(request)) as Done | null;
    if (done !== null) {
      this.#underWay.get(done.ticket)?.settle(done.result);
      this.#underWay.delete(done.ticket);
    }
    if (this.#isOver) return say(response, deskSays.over);
    this.#idle.push(response);
    response.on('close', () => this.#leave(response));
    setTimeout(() => {
      if (this.#leave(response)) say(response, deskSays.nothingNow);
    }, patienceMs).unref();
    this.#hand();
  }

  /** Whether the lane was still waiting. */
  #leave(response: ServerResponse): boolean {
    const place = this.#idle.indexOf(response);
    if (place >= 0) this.#idle.splice(place, 1);
    return place >= 0;
  }

  #hand(): void {
    while (this.#waiting.length > 0 && this.#idle.length > 0) {
      const [next, response] = [this.#waiting.shift(), this.#idle.shift()];
      if (next === undefined || response === undefined) return;
      const { ticket, check, target } = next;
      next.since = performance.now();
      this.#underWay.set(ticket, next);
      response.end(JSON.stringify({ ticket, check, target } satisfies Order));
    }
  }
}

function say(response: ServerResponse, status: number): void {
  response.writeHead(status).end();
}
