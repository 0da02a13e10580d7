import { randomBytes } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { JsonObject } from '../engine/requests.ts';
import { fieldsOf, neededMedia } from '../oracle/media/fields.ts';
import { isTerminal, type TaskStatus, taskStatuses } from '../oracle/media/task-answer.ts';
import type { Profile } from '../profile/profile.ts';
import { ReceiverControl } from '../receiver/client.ts';
import { isJsonObject, parseJson } from '../values/json.ts';
import type { WireClient } from '../wire/client.ts';
import { type Exchange, isSuccess, jsonOf } from '../wire/exchange.ts';
import type { Callers } from './callers.ts';
import type { DrillTime } from './drill-time.ts';

/** The result of one task. */
export interface TaskRecord {
  readonly exchange: Exchange;
  /** Null for a submission that was refused. */
  readonly id: string | null;
  /** The status at its end; null if it has not ended. */
  readonly status: TaskStatus | null;
  readonly hasEvent: boolean;
}

export interface TaskFacts {
  readonly profile: Profile;
  readonly client: WireClient;
  readonly callers: Callers;
  readonly models: readonly string[];
}

/** The time limits for tasks after the last submission, and for events after that, ms of the drill. */
const endsWithinMs = 180_000;
const lookEachMs = 2_000;
/** The receiver is a separate process, so its data may arrive this much later, real ms. */
const receiverMs = 50;
const atOnce = 8;

interface Task {
  readonly marker: string;
  readonly exchange: Exchange;
  readonly id: string | null;
  status: TaskStatus | null;
}

/** Tasks with events next to the calls of a drill. Each has its own webhook_url at the receiver. */
export class TaskLoad {
  readonly #facts: TaskFacts;
  readonly #receiver: ReceiverControl;
  readonly #scope: string;
  readonly #url: string;
  readonly #tasks: Task[] = [];
  readonly #open = new Set<Promise<void>>();
  readonly #arrived = new Set<string>();
  #read = 0;

  private constructor(facts: TaskFacts, receiver: ReceiverControl, scope: string, url: string) {
    this.#facts = facts;
    this.#receiver = receiver;
    this.#scope = scope;
    this.#url = url;
  }

  /** Opens an inbox. A text gives the reason why tasks with events are impossible. */
  static async open(facts: TaskFacts): Promise<TaskLoad | string> {
    const { receiver } = facts.profile.webhooks;
    if (receiver === undefined || !('control' in receiver)) return 'webhooks.receiver is not declared';
    if (facts.models.length === 0) return 'no model that is enabled makes tasks of a prompt alone';
    const control = new ReceiverControl(receiver.control, receiver.token);
    // The name is random, so late events of an earlier drill do not arrive here.
    const scope = `drill-${randomBytes(9).toString('hex')}`;
    try {
      const { url } = await control.health();
      await control.plan(scope, []);
      return new TaskLoad(facts, control, scope, url);
    } catch {
      await control.close();
      return 'nothing answers at webhooks.receiver';
    }
  }

  /** Submits a task now, and does not wait for its answer. */
  submit(index: number): void {
    const { callers, client, models } = this.#facts;
    const caller = callers.enter();
    const model = models[index % models.length] as string;
    const marker = `task-${index}`;
    const body: JsonObject = {
      model,
      prompt: `A quiet harbour in the morning, number ${index}.`,
      webhook_url: `${this.#url}/${this.#scope}/${marker}`,
    };
    const headers = { authorization: `Bearer ${caller.key}` };
    const over = client
      .send({ method: 'POST', path: '/api/v1/tasks', headers, body, label: marker })
      .then((exchange) => {
        caller.leave();
        const id = isSuccess(exchange) ? idIn(exchange) : null;
        this.#tasks.push({ marker, exchange, id, status: null });
      })
      .finally(() => this.#open.delete(over));
    this.#open.add(over);
  }

  /** Waits until every task has ended and has its event, or until the time limit; not at all if `patient` is false. */
  async settle(
    time: DrillTime,
    { signal, patient }: { readonly signal: AbortSignal; readonly patient: boolean },
  ): Promise<readonly TaskRecord[]> {
    await Promise.all(this.#open);
    const { within_ms: eventMs } = this.#facts.profile.webhooks;
    let endsBy = time.now() + (patient ? endsWithinMs : 0);
    let hasEnded = false;
    while (time.now() < endsBy) {
      await this.#look(signal);
      const open = this.#tasks.filter(({ id, status }) => id !== null && !isOver(status));
      if (open.length === 0 && !hasEnded) {
        hasEnded = true;
        endsBy = time.now() + eventMs;
      }
      if (hasEnded && this.#missing() === 0) break;
      await time.until(time.now() + lookEachMs, signal);
    }
    return this.#tasks.map(({ exchange, id, status, marker }) => ({
      ...{ exchange, id, status: isOver(status) ? status : null, hasEvent: this.#arrived.has(marker) },
    }));
  }

  async close(): Promise<void> {
    await this.#receiver.closeInbox(this.#scope).catch(() => undefined);
    await this.#receiver.close();
  }

  #missing(): number {
    return this.#tasks.filter(({ status, marker }) => isOver(status) && !this.#arrived.has(marker)).length;
  }

  async #look(signal: AbortSignal): Promise<void> {
    await wait(receiverMs, undefined, { signal });
    const { events } = await this.#receiver.events(this.#scope, { after: this.#read }, { signal });
    for (const { n, target } of events) {
      this.#read = Math.max(this.#read, n);
      const marker = /\/(task-\d+)(?:[?/]|$)/.exec(target)?.[1];
      if (marker !== undefined) this.#arrived.add(marker);
    }
    const open = this.#tasks.filter(({ id, status }) => id !== null && !isOver(status));
    for (let at = 0; at < open.length; at += atOnce)
      await Promise.all(open.slice(at, at + atOnce).map((task) => this.#readTask(task)));
  }

  async #readTask(task: Task): Promise<void> {
    const { callers, client } = this.#facts;
    const caller = callers.enter();
    const path = `/api/v1/tasks/${encodeURIComponent(task.id ?? '')}`;
    const headers = { authorization: `Bearer ${caller.key}` };
    const exchange = await client.send({ method: 'GET', path, headers, label: task.marker });
    caller.leave();
    const body =
      exchange.response?.status === 200 ? parseJson(exchange.response.body.toString('utf8')) : null;
    const status = isJsonObject(body) ? body.status : null;
    task.status = taskStatuses.find((one) => one === status) ?? task.status;
  }
}

/** Groups of models of one kind, of which the first that is enabled is taken. */
const kinds: readonly (readonly string[])[] = [
  ['song-v5', 'voice-music'],
  ['delta-imagine-t2v', 'vidD-02', 'vidA-3.1-fast', 'vidC-v21-master-t2v'],
];

/** Task models that need only a prompt. */
export function taskModelsIn(listed: ReadonlySet<string>): string[] {
  const takes = (model: string): boolean =>
    neededMedia(model).length === 0 &&
    fieldsOf(model).every(({ name, required }) => !required || name === 'prompt');
  return kinds.flatMap((ids) => ids.find((id) => listed.has(id) && takes(id)) ?? []);
}

function isOver(status: TaskStatus | null): boolean {
  return status !== null && isTerminal(status);
}

function idIn(exchange: Exchange): string | null {
  const { task_id: id } = (jsonOf(exchange) ?? {}) as { task_id?: unknown };
  return typeof id === 'string' && id !== '' ? id : null;
}
