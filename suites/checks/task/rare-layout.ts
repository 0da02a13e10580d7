import type { FileForm } from 'gatecheck-simulators/client';
import { type Check, defineCheck } from '../../engine/check.ts';
import type { CheckParts } from '../../engine/parts/check-parts.ts';
import type { JsonObject } from '../../engine/requests.ts';
import { flag, must, part } from '../../rules/violation.ts';
import { pictureForms } from '../../steps/media/pictures.ts';
import { scriptedAction, songAction, usableActions } from '../../steps/media/song.ts';
import { mediumMade, oneOfEachKind } from '../../steps/media/task-models.ts';
import { outcomeOf } from '../../wire/exchange.ts';

const rule = { requirement: 'ERR-032', aspect: 'gone-is-no-failure' };

/** A missing or expired file is not a service failure: an old link gets a 404. */
export const deadLinksAreClean: Check = defineCheck({
  id: 'task.results.dead-links',
  title: 'a result link without a file gets a 4xx, not a 5xx',
  requirements: ['TASK-018', 'ERR-032'],
  kind: 'example',
  needs: [],
  run: async (parts) => {
    const { cases, http, newScene, rng, target, tasks } = parts;
    const links: string[] = [];
    for (const model of oneOfEachKind(target)) {
      const { last } = await tasks.make(newScene().minimalMedia(model), { label: model });
      links.push(...(await tasks.results(last)).map(({ url }) => url));
    }
    for (const url of links.flatMap((link) => deadLinks(rng, link))) {
      cases.count();
      const { status, exchange } = await http.fetch(url);
      flag(status >= 400 && status < 500, {
        ...rule,
        expected: 'a 4xx',
        actual: outcomeOf(exchange),
        exchange,
      });
    }
  },
});

/** Links to files that never were: another name of the same form, and names of other forms. */
function deadLinks(rng: CheckParts['rng'], link: string): string[] {
  const [, head = '', stem = '', ending = '', query = ''] = /^(.*\/)([^/.?]+)([^/?]*)(.*)$/s.exec(link) ?? [];
  const other = rng.hex(stem.length).slice(0, stem.length);
  const names = [
    `${other}${ending}`,
    `${stem}x${ending}`,
    `${stem.slice(0, -1)}${ending}`,
    `${stem}.zz`,
    stem,
  ];
  const odd = [
    `%00${ending}`,
    `..%2f${stem}${ending}`,
    `${'a'.repeat(300)}${ending}`,
    `%zz${ending}`,
    `é${ending}`,
  ];
  return [...names, ...odd].map((name) => `${head}${name}${query}`);
}

const soundForms: readonly FileForm[] = ['rates-1', 'rates-2', 'rates-2.5'];

/** Players and browsers read such files, so a gateway that inspects results must not reject them. */
export const rareLayouts: Check = defineCheck({
  id: 'task.results.rare-layout',
  title:
    'video, audio and images of any legal form are results: 64-bit lengths, odd chunks, any bit rate, JPEG, WEBP',
  requirements: ['TASK-018'],
  kind: 'upstream',
  needs: ['upstream.control'],
  run: async (parts) => {
    const { target, newScene } = parts;
    const made = oneOfEachKind(target).flatMap((model) =>
      formsOf(model).map((form): [string, FileForm] => [model, form]),
    );
    for (const [model, form] of made)
      await part(async () => {
        const scene = newScene();
        await scene.script({ job: { file_form: form } });
        await judgeMade(parts, scene.minimalMedia(model), {
          label: `${model}, ${form}`,
          aspect: aspectOf(model),
        });
      });
    for (const [name, form, aspect] of followUps)
      if (usableActions(target).some((action) => action.name === name))
        await part(async () => {
          const body = await scriptedAction(parts, songAction(name), { job: { file_form: form } });
          await judgeMade(parts, body, { label: `song-v5, ${name}, ${form}`, aspect });
        });
  },
});

/** Actions whose results have another medium than a first song's. */
const followUps = [
  ['wav', 'odd-chunk', 'rare-layout'],
  ['cover-img', 'jpeg', 'any-picture-form'],
] as const;

/** The file forms of a model's medium. */
function formsOf(model: string): readonly FileForm[] {
  switch (mediumMade(model)) {
    case 'video':
      return ['long-box'];
    case 'audio':
      return soundForms;
    case 'image':
      return pictureForms;
  }
}

function aspectOf(model: string): string {
  const aspects = { video: 'rare-layout', audio: 'any-bit-rate', image: 'any-picture-form' };
  return aspects[mediumMade(model)];
}

async function judgeMade(
  { cases, tasks }: CheckParts,
  body: JsonObject,
  { label, aspect }: { readonly label: string; readonly aspect: string },
): Promise<void> {
  cases.count();
  const submitted = await tasks.submit(body, { label });
  const { last } = await tasks.follow(tasks.accepted(submitted).taskId, { label });
  must(last.status === 'SUCCESS', {
    requirement: 'TASK-018',
    aspect,
    expected: `SUCCESS of ${label}, a whole file of a legal form`,
    actual: last.status,
    exchange: last.exchange,
    twin: submitted,
  });
  await tasks.results(last);
}
