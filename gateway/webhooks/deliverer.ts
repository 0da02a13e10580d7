import type { Logger } from 'pino';
import type { Clock } from '../clock.ts';
import type { Attempted } from './attempt.ts';
import type { AttemptsUnderWay } from './attempts-under-way.ts';
import type { DueEvent, EventStore } from './event-store.ts';
import type { Receivers } from './receivers.ts';

export interface DelivererParts {
  readonly store: Pick<EventStore, 'take' | 'dueReceivers' | 'nextAtMs'>;
  readonly receivers: Receivers;
  /** Attempts an event once; null when this process ends first. Never rejects. */
  readonly attempt: (event: DueEvent) => Promise<Attempted | null>;
  readonly clock: Pick<Clock, 'now' | 'schedule'>;
  /** Real time: for looks that failed through us. */
  readonly timer: Pick<Clock, 'schedule'>;
  readonly underWay: AttemptsUnderWay;
  readonly log: Pick<Logger, 'warn'>;
}

/** Attempts events when they are due, as many at once as there is room for. */
export interface Deliverer {
  /** Receivers may have events that are due. */
  wake(receivers: Iterable<string>): void;
  /** Any receiver may have. */
  look(): void;
  /** An event is due then. */
  dueAt(ms: number): void;
  /** Begins no attempt from now on. */
  stop(): void;
}

/** Events that are taken at once: their bodies are in memory from then on. */
const MOST_TAKEN = 200;
const AGAIN_MS = 1_000;

export function createDeliverer(parts: DelivererParts): Deliverer {
  const { store, receivers, clock, timer, underWay, log } = parts;
  /** Who may have events that are due, the one that was served last at the end. */
  const waiting = new Set<string>();
  /** Whether others may have, too. */
  let isBlind = false;
  let isTaking = false;
  let isStopped = false;
  let again: { cancel(): void } | null = null;
  /** For the next event that is due later: one for all of them. */
  let alarm: { readonly atMs: number; cancel(): void } | null = null;

  const dueAt = (ms: number): void => {
    if (isStopped || (alarm !== null && alarm.atMs <= ms)) return;
    alarm?.cancel();
    const { cancel } = clock.schedule(Math.max(0, ms - clock.now()), () => {
      alarm = null;
      look();
    });
    alarm = { atMs: ms, cancel };
  };
  const look = (): void => {
    isBlind = true;
    goOn();
  };
  const goOn = (): void => {
    if (isTaking || isStopped || again !== null) return;
    if (!isBlind && (waiting.size === 0 || receivers.rooms(waiting).size === 0)) return;
    isTaking = true;
    underWay.add(takeAll(), 'full');
  };
  const takeAll = async (): Promise<void> => {
    try {
      do await takeSome();
      while (!isStopped && (isBlind || receivers.rooms(waiting).size > 0));
    } catch (error) {
      isBlind = true;
      if (!isStopped) retry(error);
    }
    isTaking = false;
    goOn();
  };
  const takeSome = async (): Promise<void> => {
    if (isBlind) await lookForDue();
    const rooms = fewOf(receivers.rooms(waiting));
    if (rooms.size === 0) return;
    // Whoever wakes us from here on may mean events that are not taken this time.
    for (const receiver of rooms.keys()) waiting.delete(receiver);
    const events = await store.take(rooms, clock.now());
    for (const event of events) begin(event);
    for (const [receiver, room] of rooms)
      if (events.filter((event) => event.receiver === receiver).length >= room) waiting.add(receiver);
  };
  const lookForDue = async (): Promise<void> => {
    isBlind = false;
    const now = clock.now();
    for (const receiver of await store.dueReceivers(now)) waiting.add(receiver);
    const nextAtMs = await store.nextAtMs(now);
    if (nextAtMs !== null) dueAt(nextAtMs);
  };
  const begin = (event: DueEvent): void => {
    const over = receivers.begin(event.receiver);
    const ended = parts.attempt(event).then((attempted) => {
      over(attempted?.wasSlow ?? null);
      if (attempted === null) return;
      const { nextAtMs } = attempted;
      if (nextAtMs !== null && nextAtMs <= clock.now()) waiting.add(event.receiver);
      else if (nextAtMs !== null) dueAt(nextAtMs);
      goOn();
    });
    underWay.add(ended, receivers.isSlow(event.receiver) ? 'short' : 'full');
  };
  const retry = (error: unknown): void => {
    log.warn({ err: error }, 'events are attempted later');
    again = timer.schedule(AGAIN_MS, () => {
      again = null;
      goOn();
    });
  };
  return {
    wake: (some) => {
      for (const receiver of some) waiting.add(receiver);
      goOn();
    },
    look,
    dueAt,
    stop: () => {
      isStopped = true;
      alarm?.cancel();
      again?.cancel();
    },
  };
}

/** The rooms of the first receivers, with not too many events in all. */
function fewOf(rooms: ReadonlyMap<string, number>): Map<string, number> {
  const few = new Map<string, number>();
  let left = MOST_TAKEN;
  for (const [receiver, room] of rooms) {
    if (left <= 0) break;
    few.set(receiver, Math.min(room, left));
    left -= room;
  }
  return few;
}
