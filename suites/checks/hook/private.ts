import { defineCheck } from '../../engine/check.ts';
import type { Inbox } from '../../engine/inbox.ts';
import type { CheckParts } from '../../engine/parts/check-parts.ts';
import { harmlessHosts, neighbourHosts, privateHosts } from '../../generators/guarded-hosts.ts';
import { must } from '../../rules/violation.ts';
import { inTurns } from '../../steps/fields/in-turns.ts';
import { anyPictureModel, anyTaskModel } from '../../steps/media/task-models.ts';
import { firstEvent, quiet, submitObserved } from '../../steps/webhooks/observed-task.ts';
import { type Exchange, isSuccess, outcomeOf } from '../../wire/exchange.ts';

/** A task with a private URL, and the place at the canary that the URL leads to. */
interface TakenUrl {
  readonly taskId: string;
  readonly inbox: Inbox;
}

/** Private hosts in many spellings are refused or never called. Hosts that only resemble them are accepted. */
export const privateIsUnreached = defineCheck({
  id: 'hook.target.private',
  title: "a webhook_url into the deployment's own network is refused or never connected to",
  requirements: ['HOOK-006'],
  kind: 'example',
  needs: ['webhooks.receiver', 'webhooks.guards'],
  run: async (parts) => {
    const { webhooks, tasks, target } = parts;
    const before = await webhooks.canaryConnections();
    const twin = await submitObserved(parts, anyTaskModel(target));
    const taken: TakenUrl[] = [];
    const { private_hosts: names } = webhooks.rules;
    const hosts = [...privateHosts, ...names];
    await inTurns(target, hosts, async (host) => {
      const one = await judgePrivate(parts, host, twin.submitted);
      if (one !== null) taken.push(one);
    });
    for (const { taskId } of taken) await tasks.follow(taskId);
    await firstEvent(webhooks, twin, { requirement: 'HOOK-001', aspect: 'sent-on-success' });
    await quiet(parts);
    const misdirected = (await Promise.all(taken.map(({ inbox }) => inbox.misdirected()))).flat();
    const connections = (await webhooks.canaryConnections()) - before;
    // Where checks share the canary, a connection without data may belong to another one.
    must(misdirected.length === 0 && (connections === 0 || target.ownTenant), {
      requirement: 'HOOK-006',
      aspect: 'private-refused',
      expected: 'no connection to a private address',
      actual: `${misdirected.length || connections} of them, after ${taken.length} such URLs were accepted`,
      exchange: misdirected[0]?.exchange,
    });
    await judgeHarmless(parts);
  },
});

/** Submits a task whose URL spells a private host in some way. Returns the task if accepted. */
async function judgePrivate(
  { cases, newScene, webhooks, tasks, judge, target }: CheckParts,
  host: string,
  twin: Exchange,
): Promise<TakenUrl | null> {
  cases.count();
  const legal = newScene().minimalMedia(anyTaskModel(target));
  const inbox = await webhooks.inbox();
  const good = new URL(inbox.canaryUrl('https'));
  const body = { ...legal, webhook_url: `https://${host}:${good.port}${good.pathname}` };
  const exchange = await tasks.submit(body, { label: `webhook_url of host ${host}` });
  const status = exchange.response?.status ?? 0;
  if (status >= 200 && status < 300) return { taskId: tasks.accepted(exchange).taskId, inbox };
  judge.refused(exchange, {
    requirement: 'HOOK-006',
    aspect: 'private-refused',
    codes: ['invalid_param'],
    param: 'webhook_url',
    paramRule: 'HOOK-006',
    twin,
  });
  return null;
}

/** Judges public hosts that resemble private ones. The request is for an image, which sends no event (reading B-52). */
async function judgeHarmless({ cases, rng, newScene, images, target }: CheckParts): Promise<void> {
  const model = anyPictureModel(target);
  if (model === undefined) return;
  const few = cases.full ? harmlessHosts : rng.shuffle(harmlessHosts).slice(0, 6);
  // Simulated images are free.
  const isFree = cases.full || target.profile.upstream !== undefined;
  const hosts = [...few, ...(isFree ? neighbourHosts : rng.shuffle(neighbourHosts).slice(0, 3))];
  await inTurns(target, hosts, async (host) => {
    cases.count();
    const webhook = { webhook_url: `https://${host}/hooks/tasks` };
    const body = { ...newScene().minimalMedia(model), ...webhook };
    const exchange = await images.generate(body, { label: `webhook_url of host ${host}` });
    must(isSuccess(exchange), {
      requirement: 'HOOK-006',
      aspect: 'public-accepted',
      expected: `an image with webhook_url ${webhook.webhook_url}, a public host`,
      actual: outcomeOf(exchange),
      exchange,
    });
  });
}
