import { type Check, defineCheck } from '../../engine/check.ts';
import type { CheckParts } from '../../engine/parts/check-parts.ts';
import { flag } from '../../rules/violation.ts';
import { oneOfEachKind } from '../../steps/media/task-models.ts';
import { outcomeOf } from '../../wire/exchange.ts';

const rule = { requirement: 'ERR-032', aspect: 'gone-is-no-failure' };

/** A file that is not there, or no more, is nothing that has failed: whoever follows an old link is told so. */
export const deadLinksAreClean: Check = defineCheck({
  id: 'task.results.dead-links',
  title: 'a link like that of a result, but to no file, is a 4xx and no failure of the service',
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
