import { expect, it } from 'vitest';
import { TestClock } from '../clock.ts';
import type { Exchange } from './exchange.ts';
import { HalfClosed } from './half-closed.ts';

function newHalfClosed() {
  const clock = new TestClock();
  const halfClosed = new HalfClosed(clock);
  const newExchange = (user: string, httpVersionMinor = 1) => {
    const sent = { questions: 0, looks: 0 };
    const socket = { writable: true, writableLength: 0, write: () => (sent.looks += 1) };
    const outgoing = { headersSent: false, writeContinue: () => (sent.questions += 1) };
    let isCut = false;
    const exchange = {
      incoming: { httpVersionMinor, socket },
      outgoing,
      facts: { user, firstEventMs: null },
      cut: () => {
        isCut = true;
      },
      over: () => {
        halfClosed.delete(exchange);
        return null;
      },
    } as unknown as Exchange;
    halfClosed.add(exchange);
    return { exchange, sent, isCut: () => isCut };
  };
  return { clock, halfClosed, newExchange };
}

it('asks a client once a second, and looks for its refusal soon after', async () => {
  const { clock, halfClosed, newExchange } = newHalfClosed();
  const { exchange, sent } = newExchange('u');
  await clock.advance(250);
  expect(sent).toEqual({ questions: 1, looks: 3 });
  await clock.advance(2_000);
  expect(sent.questions).toBe(3);
  halfClosed.delete(exchange);
  expect(clock.nextDue()).toBeNull();
});

it('cuts the first exchange of the same user that has taken no bytes, and never the one that asks', async () => {
  const { clock, halfClosed, newExchange } = newHalfClosed();
  const [reads, silent] = [newExchange('u'), newExchange('u', 0)];
  await clock.advance(1_050);
  const [other, first, asks] = [newExchange('v'), newExchange('u'), newExchange('u')];
  const cut = () => halfClosed.cutOne('u', asks.exchange);
  expect([await cut(), silent.isCut(), first.isCut()]).toEqual([true, true, false]);
  expect([await cut(), first.isCut()]).toEqual([true, true]);
  expect([await cut(), reads.isCut(), other.isCut(), asks.isCut()]).toEqual([false, false, false, false]);
});
