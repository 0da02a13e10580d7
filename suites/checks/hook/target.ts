import { defineCheck } from '../../engine/check.ts';
import type { CheckParts } from '../../engine/parts/check-parts.ts';
import { targetTail, usualTails } from '../../generators/target-tail.ts';
import { judgeNone } from '../../oracle/webhooks/one-event.ts';
import { plainHost, plainSpelling } from '../../oracle/webhooks/plain-spelling.ts';
import { advise, must } from '../../rules/violation.ts';
import { anyTaskModel, oneOfEachKind } from '../../steps/media/task-models.ts';
import {
  firstEvent,
  judgedOnce,
  judgeStrayed,
  type ObservedTask,
  quiet,
  submitObserved,
} from '../../steps/webhooks/observed-task.ts';
import { eventHeader, type ReceivedEvent } from '../../wire/received-event.ts';

/** How long to look for a smaller failing case, ms: each case awaits a task. */
const shrinkMs = 15_000;

const redirects = [301, 302, 303, 307, 308] as const;

/** URLs that are not https. Each builds on the rest of a valid URL after its scheme. */
const otherSchemes: readonly ((rest: string) => string)[] = [
  (rest) => `http://${rest}`,
  (rest) => `HTTP://${rest}`,
  (rest) => `ws://${rest}`,
  (rest) => `//${rest}`,
  (rest) => rest,
];

export const exactTarget = defineCheck({
  id: 'hook.target.exact',
  title: 'an event goes to exactly the webhook_url given: same host, path and query',
  requirements: ['HOOK-005'],
  kind: 'property',
  needs: ['webhooks.receiver'],
  run: async (parts) => {
    const model = anyTaskModel(parts.target);
    await parts.cases.forAllTogether(
      targetTail,
      (tails) =>
        Promise.all(
          tails.map(async (tail) => {
            try {
              await judgeTail(parts, model, tail);
              return null;
            } catch (error) {
              if (error instanceof Error) return error;
              throw error;
            }
          }),
        ),
      { quick: 4, full: 60, examples: usualTails, shrinkMs },
    );
  },
});

export const redirectsAreNotFollowed = defineCheck({
  id: 'hook.target.redirects',
  title: "a receiver's redirect is not followed, neither to another URL nor to another host",
  requirements: ['HOOK-005', 'HOOK-006'],
  kind: 'example',
  needs: ['webhooks.receiver'],
  run: async (parts) => {
    const model = anyTaskModel(parts.target);
    const elsewhere = await parts.webhooks.inbox();
    const places = [
      elsewhere.url('/other'),
      elsewhere.canaryUrl('https'),
      elsewhere.canaryUrl('http'),
      elsewhere.url('/same'),
      elsewhere.url('?other=1'),
    ];
    const tasks = await Promise.all(
      redirects.map((status, place) =>
        submitObserved(parts, model, {
          answers: [{ redirect: places[place] ?? '', status }, { status: 200 }],
        }),
      ),
    );
    await Promise.all(tasks.map((task) => judgeArrived(parts, task)));
    await quiet(parts);
    judgeNone([...(await elsewhere.eventsNow()), ...(await elsewhere.misdirected())], {
      requirement: 'HOOK-005',
      aspect: 'not-redirected',
      expected: 'nothing at the redirect target',
    });
  },
});

export const httpIsRefused = defineCheck({
  id: 'hook.target.https',
  title: 'a webhook_url that is not https is refused at submission, makes no task and is not called',
  requirements: ['HOOK-006'],
  kind: 'example',
  needs: ['webhooks.receiver'],
  run: async (parts) => {
    const { webhooks, newScene, cases, tasks, judge, target } = parts;
    for (const model of oneOfEachKind(target)) {
      const twin = await submitObserved(parts, model);
      const canary = await webhooks.inbox();
      const rest = canary.canaryUrl('http').replace(/^http:\/\//, '');
      const scene = newScene();
      for (const write of otherSchemes) {
        cases.count();
        const body = { ...scene.minimalMedia(model), webhook_url: write(rest) };
        const exchange = await tasks.submit(body, { label: `webhook_url ${write('…')}` });
        const rule = { requirement: 'HOOK-006', aspect: 'http-refused', twin: twin.submitted };
        judge.refused(exchange, {
          ...rule,
          codes: ['invalid_param'],
          param: 'webhook_url',
          paramRule: 'HOOK-006',
        });
      }
      await tasks.follow(twin.taskId);
      await firstEvent(webhooks, twin, { requirement: 'HOOK-006', aspect: 'https-only' });
      await judgeStrayed(twin);
      await judgeStrayed({ inbox: canary });
      await judgedOnce(judge, twin);
    }
  },
});

async function judgeTail(parts: CheckParts, model: string, tail: string): Promise<void> {
  const task = await submitObserved(parts, model, { tail });
  await parts.tasks.follow(task.taskId);
  const url = task.inbox.url(tail);
  const event = await firstEvent(parts.webhooks, task, { requirement: 'HOOK-005', aspect: 'exact-target' });
  judgeTarget(event, url);
}

function judgeTarget(event: ReceivedEvent, url: string): void {
  const { host, origin } = new URL(url);
  const own = { requirement: 'HOOK-005', exchange: event.exchange };
  // An empty path means the root.
  const target = url.slice(origin.length) || '/';
  const expected = `a POST to ${target}`;
  const isSame = plainSpelling(event.target) === plainSpelling(target);
  must(isSame, { ...own, aspect: 'exact-target', expected, actual: event.target });
  // A receiver that follows RFC 3986 also accepts another spelling of the same URL.
  advise(event.target === target, { ...own, aspect: 'same-spelling', expected, actual: event.target });
  const said = eventHeader(event, 'host');
  must(said === null || plainHost(said) === plainHost(host), {
    ...own,
    aspect: 'own-host',
    expected: `host ${host}`,
    actual: said ?? '',
  });
}

async function judgeArrived({ tasks, webhooks }: CheckParts, task: ObservedTask): Promise<void> {
  await tasks.follow(task.taskId);
  await firstEvent(webhooks, task, { requirement: 'HOOK-001', aspect: 'sent-on-success' });
}
