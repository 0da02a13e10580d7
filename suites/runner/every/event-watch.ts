import { setTimeout as wait } from 'node:timers/promises';
import type { Inbox } from '../../engine/inbox.ts';
import type { Tenant } from '../../engine/parts/tenant.ts';
import { type Judged, judgedBy } from '../../oracle/exchange/judge-exchange.ts';
import type { TaskRecord } from '../../oracle/media/task-answer.ts';
import type { TaskRead } from '../../oracle/media/trace.ts';
import { type EventRules, judgeEvent } from '../../oracle/webhooks/judge-event.ts';
import { judgeMerged } from '../../oracle/webhooks/merged-trace.ts';
import { judgeOnce, judgeSame } from '../../oracle/webhooks/one-event.ts';
import { readPayload } from '../../oracle/webhooks/payload.ts';
import { accountKeys } from '../../profile/keys.ts';
import type { Profile } from '../../profile/profile.ts';
import { must } from '../../rules/violation.ts';
import { isJsonObject, parseJson } from '../../values/json.ts';
import type { Exchange } from '../../wire/exchange.ts';
import type { ReceivedEvent } from '../../wire/received-event.ts';

/** A task that a check submitted. */
export interface SubmittedTask {
  readonly id: string;
  readonly model: string;
  readonly submitted: Exchange;
  /** The record that showed its end; null if no read did. */
  readonly end: TaskRecord | null;
  readonly reads: readonly Pick<TaskRead, 'record'>[];
}

const pollMs = 50;

/** An account whose events are watched. */
type WatchedAccount = Pick<Tenant, 'keys'> & {
  readonly webhooks: Pick<Tenant['webhooks'], 'watchedSoFar' | 'secret'>;
};

/** Judges the events of tasks that a check ended by the way ("Events"). */
export class EventWatch {
  readonly #profile: Profile;
  readonly #tenant: WatchedAccount;
  readonly #signal: AbortSignal;

  constructor(profile: Profile, tenant: WatchedAccount, signal: AbortSignal) {
    this.#profile = profile;
    this.#tenant = tenant;
    this.#signal = signal;
  }

  /** Judges the events, after waiting for those that are due. */
  async conclude(tasks: readonly SubmittedTask[]): Promise<Judged<string>[]> {
    const inbox = await this.#tenant.webhooks.watchedSoFar;
    if (inbox === null) return [];
    const asked = tasks.flatMap((task) => {
      const tail = tailIn(task, inbox.url('/'));
      return tail === null ? [] : [{ task, tail }];
    });
    const alike = Map.groupBy(asked, ({ tail }) => tail);
    const ownOf = (
      { task, tail }: (typeof asked)[number],
      all: readonly ReceivedEvent[],
    ): ReceivedEvent[] => {
      const there = all.filter(({ target }) => target.includes(`/${tail}`));
      // Equal bodies have the same URL, so only their contents show whose an event is.
      const isShared = (alike.get(tail)?.length ?? 0) > 1;
      return isShared ? there.filter((event) => readPayload(event).taskId === task.id) : there;
    };
    const due = asked.filter(({ task }) => task.end !== null);
    const events = await this.#eventsWhen(inbox, (all) => due.every((one) => ownOf(one, all).length > 0));
    return asked
      .map((one) => ({ task: one.task, own: ownOf(one, events) }))
      .filter(({ task, own }) => task.end !== null || own.length > 0)
      .map(({ task, own }) => judgedBy('events', true, () => this.#judge(task, own)));
  }

  async #eventsWhen(
    inbox: Inbox,
    areEnough: (all: readonly ReceivedEvent[]) => boolean,
  ): Promise<readonly ReceivedEvent[]> {
    const until = performance.now() + this.#profile.webhooks.within_ms;
    for (;;) {
      const all = await inbox.eventsAfter(this.#signal);
      if (areEnough(all) || performance.now() >= until) return all;
      await wait(pollMs, undefined, { signal: this.#signal });
    }
  }

  /** Whether the account of K1 submitted a task. Other accounts have secrets of their own. */
  #isOwn({ request: { headers } }: Exchange): boolean {
    const { keys } = this.#tenant;
    const own = accountKeys.flatMap((name) => keys[name] ?? []);
    return headers.some(([, value]) => own.some((key) => value.includes(key)));
  }

  #judge({ id, model, submitted, end, reads }: SubmittedTask, events: readonly ReceivedEvent[]): void {
    must(events.length > 0, {
      ...{ requirement: 'HOOK-001', aspect: 'event-of-each-end', exchange: submitted, twin: end?.exchange },
      expected: `an event of ${id}, a task of ${model} that ended in ${end?.status}`,
      actual: `none within ${this.#profile.webhooks.within_ms} ms`,
    });
    judgeOnce(events);
    const rules: EventRules = {
      timestampHeader: this.#profile.webhooks.timestamp_header,
      secret: this.#isOwn(submitted) ? this.#tenant.webhooks.secret : null,
      isClockKnown: this.#profile.hooks.clock !== undefined,
    };
    const claims = { taskId: id, status: end?.status ?? null, record: isOneImage(model, end) ? null : end };
    const [first, ...more] = events.map((event) => judgeEvent(event, rules, claims));
    if (first !== undefined) for (const again of more) judgeSame(first, again);
    judgeMerged({ reads, events });
  }
}

/** The last segment of the webhook_url of a task, if that begins like this. */
function tailIn({ submitted }: SubmittedTask, start: string): string | null {
  const body = parseJson(submitted.request.body.toString('utf8'));
  const url = isJsonObject(body) ? body.webhook_url : undefined;
  return typeof url === 'string' && url.startsWith(start) ? url.slice(start.length) : null;
}

/** Whether a grid of four images is shown as one (B-64). A proxy may do that to answers only, so its event then has four. */
function isOneImage(model: string, record: TaskRecord | null): boolean {
  return model === 'journey-v7' && record?.resultUrls.length === 1;
}
