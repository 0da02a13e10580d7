import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { freshDataDir } from '../testing/store/test-stores.ts';
import { type ProtocolSession, SessionServer } from './session-server.ts';

const startup = Buffer.from([0, 0, 0, 9, 0, 3, 0, 0, 0]);

/** One message whose body is the given word. */
function message(type: string, word: string): Buffer {
  const body = Buffer.from(`${word}\0`);
  const head = Buffer.alloc(5);
  head.write(type);
  head.writeUInt32BE(body.length + 4, 1);
  return Buffer.concat([head, body]);
}

/** Remembers what it runs, answers with the same bytes; `begin` and ROLLBACK open and end its transaction. */
class FakeSession implements ProtocolSession {
  readonly ran: string[] = [];
  broken = false;
  #inTransaction = false;

  isInTransaction(): boolean {
    return this.#inTransaction;
  }

  async execProtocolRawStream(
    bytes: Uint8Array,
    { onRawData }: { onRawData(data: Uint8Array): void },
  ): Promise<void> {
    const words =
      Buffer.from(bytes)
        .toString('latin1')
        .match(/[a-zA-Z]{4,}/g)
        ?.join(' ') ?? '';
    if (this.broken) {
      throw new Error('the engine is gone');
    }
    this.ran.push(words);
    this.#inTransaction = /begin/.test(words) || (this.#inTransaction && !/ROLLBACK|commit/.test(words));
    await Promise.resolve();
    onRawData(bytes);
  }
}

describe('SessionServer', () => {
  let session: FakeSession;
  let server: SessionServer;
  let fatal: Promise<unknown>;
  let path: string;
  const cleanups: (() => unknown)[] = [];

  beforeEach(async () => {
    const dir = freshDataDir();
    path = join(dir.place.dataDir, 's');
    session = new FakeSession();
    fatal = new Promise((resolve) => {
      server = new SessionServer(session, resolve);
    });
    await server.listen(path);
    cleanups.push(dir.remove, () => server.close());
  });

  afterEach(async () => {
    for (const cleanup of cleanups.splice(0).reverse()) {
      await cleanup();
    }
  });

  async function client(): Promise<Socket> {
    const socket = connect(path);
    cleanups.push(() => socket.destroy());
    socket.write(startup);
    await once(socket, 'data');
    return socket;
  }

  async function ask(socket: Socket, bytes: Buffer): Promise<void> {
    socket.write(bytes);
    await once(socket, 'data');
  }

  it('serves no other client between the first part of a statement and its Sync', async () => {
    const [first, second] = [await client(), await client()];
    await ask(first, Buffer.concat([message('P', 'parse'), message('H', 'flush')]));
    const answered = ask(second, message('Q', 'other'));
    await ask(first, Buffer.concat([message('E', 'execute'), message('S', 'sync')]));
    await answered;
    expect(session.ran.slice(2)).toEqual(['parse flush', 'execute sync', 'other']);
  });

  it('serves no other client while a transaction is open', async () => {
    const [first, second] = [await client(), await client()];
    await ask(first, message('Q', 'begin'));
    const answered = ask(second, message('Q', 'other'));
    await ask(first, message('Q', 'inside'));
    await ask(first, message('Q', 'commit'));
    await answered;
    expect(session.ran.slice(2)).toEqual(['begin', 'inside', 'commit', 'other']);
  });

  it('rolls back an open transaction of a lost client and serves the next one', async () => {
    const [first, second] = [await client(), await client()];
    await ask(first, message('Q', 'begin'));
    const answered = ask(second, message('Q', 'other'));
    first.destroy();
    await answered;
    expect(session.ran.slice(2)).toEqual(['begin', '', 'ROLLBACK', 'other']);
  });

  it('reports a session that throws, and sends no answer', async () => {
    const socket = await client();
    session.broken = true;
    socket.write(message('Q', 'select'));
    expect(await fatal).toEqual(new Error('the engine is gone'));
  });

  it('disconnects a client that violates the protocol', async () => {
    const socket = connect(path);
    cleanups.push(() => socket.destroy());
    socket.write('GET / HTTP/1.1\r\n\r\n');
    await once(socket, 'close');
    expect(session.ran).toEqual([]);
  });
});
