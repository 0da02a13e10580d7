import { accountKeys } from '../profile/keys.ts';
import type { Profile } from '../profile/profile.ts';
import { isJsonObject, parseJson } from '../values/json.ts';
import { type Exchange, isSuccess, jsonOf } from '../wire/exchange.ts';
import { credentialsOf } from './private-parts.ts';

/** A task whose submission passed. */
export interface Submission {
  /** Where its events go; null when the request named no URL. */
  readonly webhookUrl: string | null;
  /** The secret that signs the events of its account; null when the profile does not declare it for the key. */
  readonly secret: string | null;
}

/** The tasks whose submissions passed, by id. When there is no room, the oldest are dropped. */
export class Submissions {
  readonly #most: number;
  readonly #byTask = new Map<string, Submission>();

  constructor(most: number) {
    this.#most = most;
  }

  of(taskId: string): Submission | undefined {
    return this.#byTask.get(taskId);
  }

  /** Whether a task requested its events at this URL. */
  isWanted(url: string): boolean {
    return [...this.#byTask.values()].some(({ webhookUrl }) => webhookUrl === url);
  }

  /** The task that requested its events at this path and query; null when several or none did. */
  onlyAt(target: string): string | null {
    const found = [...this.withUrl()].filter(([, url]) => targetOf(url) === target);
    return found.length === 1 ? (found[0]?.[0] ?? null) : null;
  }

  /** The tasks that requested events, with their URLs. */
  *withUrl(): Generator<readonly [taskId: string, url: string]> {
    for (const [id, { webhookUrl }] of this.#byTask) if (webhookUrl !== null) yield [id, webhookUrl];
  }

  /** Remembers an accepted submission. */
  note(exchange: Exchange, profile: Profile | null): void {
    const [body, answer] = [parseJson(exchange.request.body.toString('utf8')), jsonOf(exchange)];
    if (!isSuccess(exchange) || !isJsonObject(body) || !isJsonObject(answer)) return;
    const { task_id: id } = answer;
    if (typeof id !== 'string') return;
    const { webhook_url: url } = body;
    this.#byTask.set(id, {
      webhookUrl: typeof url === 'string' && url !== '' ? url : null,
      secret: profile === null ? null : secretOf(exchange, profile),
    });
    const [oldest] = this.#byTask.keys();
    if (this.#byTask.size > this.#most && oldest !== undefined) this.#byTask.delete(oldest);
  }
}

/** The path and query of a URL, as they are sent. */
export function targetOf(url: string): string {
  const parsed = URL.parse(url);
  return parsed === null ? '' : parsed.pathname + parsed.search;
}

function secretOf(exchange: Exchange, { keys, tenants, webhooks }: Profile): string | null {
  const shown = credentialsOf(exchange);
  const accounts = [
    { keys, secret: webhooks.secret },
    ...tenants.map((tenant) => ({ keys: tenant.keys, secret: tenant.webhook_secret })),
  ];
  const own = accounts.find((one) => accountKeys.some((name) => shown.includes(one.keys[name] ?? '')));
  return own?.secret ?? null;
}

/** Every secret that the profile declares for the deployment's events. */
export function secretsIn({ tenants, webhooks }: Profile): string[] {
  const all = [webhooks.secret, ...tenants.map((tenant) => tenant.webhook_secret)];
  return [...new Set(all.filter((secret) => secret !== undefined))];
}
