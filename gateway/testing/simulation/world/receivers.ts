import type { SendEvent, Sent } from '../../../webhooks/send-event.ts';
import type { Random } from '../../random.ts';
import type { Scheduler } from '../scheduler.ts';

/** An event as a receiver got it. */
export interface Receipt {
  readonly eventId: string;
  readonly taskId: string;
  readonly body: string;
  readonly process: string;
  readonly atMs: number;
  /** The receiver took it, and said so. */
  readonly isTaken: boolean;
  /** The gateway has learnt that it was taken. */
  isKnown: boolean;
}

export interface ReceiversParts {
  readonly random: Random;
  readonly scheduler: Scheduler;
  /** How likely an attempt fails now. */
  readonly badness: () => number;
  readonly onReceipt: (receipt: Receipt) => void;
}

const none: Sent = { status: null, failure: 'connection', askedMs: null };

/** The receivers of events: the way to them for one process. */
export function receiversFor(
  process: string,
  { random, scheduler, badness, onReceipt }: ReceiversParts,
): SendEvent {
  return ({ timeoutMs }, { headers, body, gone }) =>
    new Promise((resolve) => {
      if (gone.aborted) return resolve(null);
      const eventId = headers['webhook-id'] ?? '';
      const taskId = taskIn(body);
      const later = (ms: number, what: string, act: () => void): void => {
        scheduler.after(ms, process, `${process} event of ${taskId} ${what}`, act);
      };
      const fails = (share: number): boolean => random.chance(badness() * share);
      later(random.whole(1, 60), 'arrives', () => {
        if (fails(0.3)) return resolve(none);
        const isTaken = !fails(0.5);
        const receipt: Receipt = {
          eventId,
          taskId,
          body,
          process,
          atMs: scheduler.nowMs,
          isTaken,
          isKnown: false,
        };
        onReceipt(receipt);
        if (fails(0.3)) return later(random.whole(1, 200), 'has a lost answer', () => resolve(none));
        if (fails(0.1)) {
          return later(timeoutMs, 'is too late', () => resolve({ ...none, failure: 'timeout' }));
        }
        later(random.whole(1, 400), isTaken ? 'is taken' : 'is refused', () => {
          receipt.isKnown = isTaken;
          resolve(
            isTaken
              ? { status: 204, failure: null, askedMs: null }
              : { status: 500, failure: 'status', askedMs: null },
          );
        });
      });
    });
}

function taskIn(body: string): string {
  const event: { data: { task_id: string } } = JSON.parse(body);
  return event.data.task_id;
}
