import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { refuseForeign } from '../../foreign-caller.ts';
import { listenOnLoopback } from '../../loopback.ts';

/**
 * A gate for jobs: on each target one job at a time, and after it `onEnd`, before the next one begins. The runner's
 * worker asks `/begin` and `/end` with `target` and `check`.
 */
export class OneAtATime {
  readonly url: string;
  readonly #server: Server;
  readonly #onEnd: (target: string, check: string) => Promise<void>;
  /** By target with a job under way, how those that wait are let in. */
  readonly #waiting = new Map<string, (() => void)[]>();

  private constructor(server: Server, port: number, onEnd: (target: string, check: string) => Promise<void>) {
    this.#server = server;
    this.url = `http://127.0.0.1:${port}`;
    this.#onEnd = onEnd;
    server.on('request', async (request, response) => {
      if (refuseForeign(request, response)) return;
      const { pathname, searchParams } = new URL(request.url ?? '/', 'http://gate');
      const [target, check] = [searchParams.get('target') ?? '', searchParams.get('check') ?? ''];
      try {
        await (pathname === '/begin' ? this.#begin(target) : this.#end(target, check));
        response.end();
      } catch (error) {
        response.writeHead(500).end((error as Error).message);
      }
    });
  }

  static async start(onEnd: (target: string, check: string) => Promise<void>): Promise<OneAtATime> {
    const server = createServer();
    return new OneAtATime(server, await listenOnLoopback(server), onEnd);
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }

  async #begin(target: string): Promise<void> {
    const waiting = this.#waiting.get(target);
    if (waiting === undefined) this.#waiting.set(target, []);
    else await new Promise<void>((resolve) => waiting.push(resolve));
  }

  async #end(target: string, check: string): Promise<void> {
    try {
      await this.#onEnd(target, check);
    } finally {
      const next = this.#waiting.get(target)?.shift();
      if (next === undefined) this.#waiting.delete(target);
      else next();
    }
  }
}
