import type { Dispatcher } from 'undici';
import { describe, expect, it, vi } from 'vitest';
import { Reception } from './reception.ts';

/** A reception in progress, and a mock of its connection. */
async function underWay() {
  const connection = { pause: vi.fn(), resume: vi.fn(), abort: vi.fn() };
  const controller = connection as unknown as Dispatcher.DispatchController;
  const reception = new Reception();
  const dispatcher = {
    dispatch: () => {
      reception.onRequestStart(controller);
      reception.onResponseStart(controller, 103, { link: 'early' });
      reception.onResponseStart(controller, 200, { 'content-type': 'text/plain' });
      return true;
    },
  } as unknown as Dispatcher;
  const head = await reception.head(dispatcher, { path: '/', method: 'GET' });
  const give = (text: string): void => reception.onResponseData(controller, Buffer.from(text));
  return { connection, reception, head, give };
}

const textOf = ({ value }: IteratorResult<Buffer, null>): string | undefined => value?.toString();

describe('an answer', () => {
  it('has the head after any interim heads', async () => {
    const { head } = await underWay();
    expect(head).toEqual({ status: 200, headers: { 'content-type': 'text/plain' } });
  });

  it('gives one reader all bytes of one read of the connection, then the end', async () => {
    const { reception, give } = await underWay();
    const first = reception.next();
    give('a');
    give('b');
    expect(textOf(await first)).toBe('ab');
    give('c');
    reception.onResponseEnd();
    expect(reception.isRead).toBe(false);
    expect(reception.peek()?.toString()).toBe('c');
    expect(textOf(await reception.next())).toBe('c');
    expect(reception.isRead).toBe(true);
    expect(await reception.next()).toEqual({ done: true, value: null });
  });

  it('serves several readers in their order', async () => {
    const { reception, give } = await underWay();
    const readers = [reception.next(), reception.next()];
    give('a');
    expect(textOf(await (readers[0] as (typeof readers)[number]))).toBe('a');
    give('b');
    expect(textOf(await (readers[1] as (typeof readers)[number]))).toBe('b');
  });

  it('is not taken from the connection while nothing reads it', async () => {
    const { connection, reception, give } = await underWay();
    give('x'.repeat(65_535));
    expect(connection.pause).not.toHaveBeenCalled();
    give('x');
    expect(connection.pause).toHaveBeenCalledOnce();
    expect(connection.resume).not.toHaveBeenCalled();
    expect(reception.take()).toHaveLength(65_536);
    expect(connection.resume).toHaveBeenCalledOnce();
  });
});

describe('a cut', () => {
  it('reaches the waiting reader and all later ones, and discards unread bytes', async () => {
    const { reception, give } = await underWay();
    give('lost');
    reception.onResponseError(null, new Error('reset'));
    await expect(reception.next()).rejects.toThrow('reset');
    expect([reception.take(), reception.isRead]).toEqual([null, false]);
    give('late');
    expect(reception.peek()).toBeNull();
  });

  it('by the gateway ends the connection, unless the answer has ended', async () => {
    const { connection, reception } = await underWay();
    const waits = reception.next();
    reception.cancel();
    await expect(waits).rejects.toThrow();
    expect(connection.abort).toHaveBeenCalledOnce();
    const other = await underWay();
    other.reception.onResponseEnd();
    other.reception.cancel();
    expect(other.connection.abort).not.toHaveBeenCalled();
  });

  it('before the connection exists rejects at once, and nothing is sent later', async () => {
    const reception = new Reception();
    const silent = { dispatch: () => true } as unknown as Dispatcher;
    const head = reception.head(silent, { path: '/', method: 'GET' });
    reception.cancel();
    await expect(head).rejects.toThrow();
    const controller = { abort: vi.fn() };
    reception.onRequestStart(controller as unknown as Dispatcher.DispatchController);
    expect(controller.abort).toHaveBeenCalledOnce();
    expect(reception.isSent).toBe(false);
  });
});
