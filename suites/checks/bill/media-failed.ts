import { type Check, defineCheck } from '../../engine/check.ts';
import type { Kit } from '../../engine/kit.ts';
import { blockedSubmit } from '../../generators/blocked-submit.ts';
import { mediaModel } from '../../oracle/media/models.ts';
import { dollarText } from '../../oracle/money.ts';
import { must } from '../../rules/violation.ts';
import { charged } from '../../steps/money/charged.ts';
import type { Exchange } from '../../wire/exchange.ts';

const requirement = 'BILL-008';

/** How a job ends without anything made. None of it says that the upstream is broken. */
const ends = [
  { end: 'failed', error: { code: 'content_policy_violation', message: 'Not this.' } },
  { end: 'failed', error: { code: 'invalid_input', message: 'Not so.' } },
  { end: 'canceled' },
] as const;

const failedTasksAreFree = defineCheck({
  id: 'bill.media.failed',
  title: 'a task whose job fails, pictures that are blocked and a request that is refused cost nothing',
  requirements: [requirement],
  kind: 'upstream',
  needs: ['upstream.control', 'charges'],
  run: async (kit) => {
    const served = kit.media.models;
    const tasks = ['vidB2', 'journey-v7', 'song-v5', 'voice-music'].filter((id) => served.includes(id));
    for (const [place, model] of tasks.entries()) {
      for (const job of kit.full ? ends : [ends[place % ends.length] ?? ends[0]]) {
        await judgeFree(kit, `${model}, job ${job.end}`, async () => {
          const scene = kit.scene();
          await scene.script({ job });
          const submitted = await kit.media.submit(kit.media.minimal(model, scene), { label: model });
          const { last } = await kit.media.follow(kit.media.accepted(submitted).taskId);
          must(last.status === 'FAILED', {
            requirement,
            aspect: 'failed-task',
            expected: 'status FAILED of a task whose job made nothing',
            actual: last.status,
            exchange: last.exchange,
            twin: submitted,
          });
          return submitted;
        });
      }
    }
    for (const model of served
      .filter((id) => mediaModel(id)?.endpoint === 'images')
      .slice(0, kit.full ? 8 : 2)) {
      await judgeFree(kit, `${model}, blocked`, async () => {
        const scene = kit.scene();
        await scene.script(blockedSubmit);
        const exchange = await kit.media.images(kit.media.minimal(model, scene), {
          label: `${model}, blocked`,
        });
        kit.refused(exchange, { requirement, aspect: 'failed-images', codes: ['content_filter'] });
        return exchange;
      });
    }
    for (const endpoint of ['images', 'tasks'] as const) {
      await judgeFree(kit, `${endpoint}, refused`, () => {
        const [model] = kit.media.modelsOf(endpoint);
        const body = { ...kit.media.minimal(model, kit.scene()), zz_unknown_field: 1 };
        return endpoint === 'images' ? kit.media.images(body) : kit.media.submit(body);
      });
    }
  },
});

export const failedMediaChecks: readonly Check[] = [failedTasksAreFree];

async function judgeFree(kit: Kit, what: string, send: () => Promise<Exchange>): Promise<void> {
  kit.countCase();
  const { exchange, charge } = await charged(kit, send);
  must(charge === 0n, {
    requirement,
    aspect: 'failed-media-free',
    expected: `no charge: ${what}`,
    actual: dollarText(charge),
    exchange,
  });
}
