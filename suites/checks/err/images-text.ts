import { defineCheck } from '../../engine/check.ts';
import type { CheckParts } from '../../engine/parts/check-parts.ts';
import { type BodyForm, bodyFormNames, tellingReply } from '../../generators/upstream-body.ts';
import { codesFor } from '../../oracle/upstream-failures.ts';
import { Untestable } from '../../rules/violation.ts';
import { judgeHidden } from '../../steps/failures/judge-hidden.ts';
import { severalTenants, sideBySide } from '../../steps/tenants/side-by-side.ts';
import { imagesWay } from '../../steps/ways/way-in.ts';
import { waysServeAgain } from '../../steps/ways/ways-of.ts';

const statuses = [400, 418, 422, 429, 500, 503] as const;
const quickForms: readonly BodyForm[] = ['native error', 'html', 'empty'];

/** Successful calls after each failure, which keep the circuit breaker closed. */
const goodCalls = 3;

export const imagesTextStaysInside = defineCheck({
  id: 'err.upstream.images-text',
  title: 'error text of an image upstream never reaches the caller, who gets one of the documented codes',
  requirements: ['ERR-009', 'ERR-002'],
  kind: 'upstream',
  needs: ['upstream.control', 'images'],
  // A gateway may cool a channel down for minutes after some of these failures.
  clock: 'jump',
  tenants: severalTenants,
  run: async (parts) => {
    const { cases, rng, target } = parts;
    const models = rng.shuffle(target.mediaModelsOf('images'));
    const forms = cases.full ? bodyFormNames : quickForms;
    const all = forms.flatMap((form) => statuses.map((status) => ({ form, status })));
    await sideBySide(parts, [...all.entries()], async (own, [place, { form, status }]) => {
      const model = models[place % models.length];
      if (model === undefined) throw new Untestable('a model of the images endpoint');
      await judgeFailure(own, model, form, status);
    });
  },
});

async function judgeFailure(parts: CheckParts, model: string, form: BodyForm, status: number): Promise<void> {
  const { cases, newScene, rng, images, target, judge } = parts;
  cases.count();
  const scene = newScene();
  const canary = `canary${rng.hex(12)}`;
  // Image upstreams word their errors as chat-completions upstreams do.
  await scene.script(tellingReply(form, canary, { dialect: 'chat-completions', status }));
  const label = `${model}: upstream ${status}, ${form}`;
  const exchange = await images.generate(scene.minimalMedia(model), { label });
  const secrets = [canary, ...(target.profile.upstream?.keys ?? [])];
  judgeHidden(exchange, secrets, 'ERR-009', `the upstream's ${status} (${form})`);
  judge.refused(exchange, { requirement: 'ERR-009', aspect: 'normalized', codes: codesFor(status) });
  if ((await scene.requestsNow()).length === 0) judge.note(`an upstream ${status} was not reached`);
  await waysServeAgain(parts, [imagesWay(model)], { requirement: 'ERR-009', aspect: 'recovers' }, goodCalls);
}
