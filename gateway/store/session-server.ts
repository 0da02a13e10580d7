import { createServer, type Server, type Socket } from 'node:net';
import { ClientFrames, type ClientUnit } from './client-frames.ts';

/** The part of PGlite that the server needs. */
export interface ProtocolSession {
  isInTransaction(): boolean;
  execProtocolRawStream(message: Uint8Array, options: { onRawData(data: Uint8Array): void }): Promise<void>;
}

interface Client {
  readonly socket: Socket;
  readonly frames: ClientFrames;
}

interface Turn {
  readonly client: Client;
  readonly unit: (ClientUnit & { kind: 'messages' }) | { kind: 'leave' };
}

const maxClients = 64;
const noEncryption = Buffer.from('N');
const sync = Uint8Array.of(0x53, 0, 0, 0, 4);
const rollback = Uint8Array.from(Buffer.from('Q\0\0\0\x0dROLLBACK\0', 'latin1'));

/**
 * Shares the one session of PGlite among many client connections. A client keeps the session from the first message of a
 * parse-bind-execute sequence to its Sync, and from BEGIN to the end of the transaction. Only then is the next client served.
 * The unnamed statement belongs to the session, not to the connection. Without this rule, a statement that arrives in pieces
 * could run with the parameters of another client.
 */
export class SessionServer {
  readonly #session: ProtocolSession;
  readonly #onFatal: (error: unknown) => void;
  readonly #server: Server;
  readonly #clients = new Set<Client>();
  #turns: Turn[] = [];
  /** The client with an unfinished sequence or transaction, which owns the session. */
  #owner: Client | null = null;
  #running = false;

  /** `onFatal` is called if the session itself throws; after that no client can be served. */
  constructor(session: ProtocolSession, onFatal: (error: unknown) => void) {
    this.#session = session;
    this.#onFatal = onFatal;
    this.#server = createServer((socket) => this.#accept(socket));
    this.#server.maxConnections = maxClients;
  }

  /** Listens on a unix socket. */
  listen(path: string): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#server.once('error', reject);
      this.#server.listen(path, () => {
        this.#server.off('error', reject);
        this.#server.on('error', this.#onFatal);
        resolve();
      });
    });
  }

  /** Closes every connection; a statement in flight finishes first. */
  close(): Promise<void> {
    return new Promise((resolve) => {
      this.#server.close(() => resolve());
      for (const client of this.#clients) {
        client.socket.destroy();
      }
    });
  }

  #accept(socket: Socket): void {
    const client: Client = { socket, frames: new ClientFrames() };
    this.#clients.add(client);
    socket.on('data', (chunk: Buffer) => this.#read(client, chunk));
    socket.on('error', () => socket.destroy());
    socket.on('close', () => this.#forget(client));
  }

  #read(client: Client, chunk: Buffer): void {
    try {
      client.frames.push(chunk);
      for (let unit = client.frames.next(); unit !== null; unit = client.frames.next()) {
        this.#dispatch(client, unit);
      }
    } catch {
      client.socket.destroy();
    }
  }

  #dispatch(client: Client, unit: ClientUnit): void {
    switch (unit.kind) {
      case 'encryption-request':
        client.socket.write(noEncryption);
        break;
      case 'goodbye':
        client.socket.end();
        break;
      case 'messages':
        this.#turns.push({ client, unit });
        void this.#serveAll();
        break;
    }
  }

  #forget(client: Client): void {
    this.#clients.delete(client);
    this.#turns = this.#turns.filter((turn) => turn.client !== client);
    this.#turns.push({ client, unit: { kind: 'leave' } });
    void this.#serveAll();
  }

  async #serveAll(): Promise<void> {
    if (this.#running) {
      return;
    }
    this.#running = true;
    try {
      for (let turn = this.#takeTurn(); turn !== undefined; turn = this.#takeTurn()) {
        await this.#serve(turn);
      }
      this.#running = false;
    } catch (error) {
      this.#onFatal(error);
    }
  }

  #takeTurn(): Turn | undefined {
    if (this.#owner === null) {
      return this.#turns.shift();
    }
    const index = this.#turns.findIndex((turn) => turn.client === this.#owner);
    return index === -1 ? undefined : this.#turns.splice(index, 1)[0];
  }

  async #serve({ client, unit }: Turn): Promise<void> {
    if (unit.kind === 'leave') {
      await this.#tidyAfter(client);
      return;
    }
    const { socket } = client;
    socket.cork();
    await this.#session.execProtocolRawStream(unit.bytes, {
      // The bytes are a view of the database's own memory, so they must be copied before it goes on.
      onRawData: (data) => void (socket.writable && socket.write(Buffer.from(data))),
    });
    socket.uncork();
    const finished = unit.closesSequence && !this.#session.isInTransaction();
    this.#owner = finished ? null : client;
  }

  /** Resets the session after a client that disconnected midway, so that the next client gets a clean session. */
  async #tidyAfter(client: Client): Promise<void> {
    if (this.#owner !== client) {
      return;
    }
    await this.#session.execProtocolRawStream(sync, { onRawData: () => {} });
    if (this.#session.isInTransaction()) {
      await this.#session.execProtocolRawStream(rollback, { onRawData: () => {} });
    }
    this.#owner = null;
  }
}
