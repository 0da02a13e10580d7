// `npm run new check <area> <name> <RULE>`: the skeleton of a check and of the mutant that proves it, and the pinned id.
//
//   npm run new check auth key.length AUTH-004
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const [kind, area = '', name = '', rule = ''] = process.argv.slice(2);
const isNamed = /^[a-z]+$/.test(area) && /^[a-z0-9]+(?:[.-][a-z0-9]+)*$/.test(name);
if (kind !== 'check' || !isNamed || !/^[A-Z]+-\d{3}$/.test(rule)) {
  const { areas } = await import('../suites/checks/areas.ts');
  refuse(`usage: npm run new check <area> <name> <RULE>

  area   where it stands and how its id begins: ${areas.join(', ')}
  name   the rest of its id, words with dots and hyphens between: key.length
  RULE   the row of fixtures/requirements/ that it proves: AUTH-004

It writes suites/checks/<area>/<name>.ts, a mutant that the check must detect in proof/mutants/<area>/, and the id in
suites/checks/check-ids.txt. Fill in the two files. Then both commands must pass:

  npx gatecheck run --reference --only <area>.<name>
  npx gatecheck prove --only <area>.<name>

For example: npm run new check auth key.length AUTH-004`);
}

const { loadRegister } = await import('../suites/rules/register.ts');
if (!loadRegister().has(rule)) refuse(`${rule} is not in fixtures/requirements/: add its row first`);
const { areas, checkIds } = await import('../suites/checks/areas.ts');
if (!areas.includes(area)) refuse(`there is no area ${area}; areas: ${areas.join(', ')}`);

const id = `${area}.${name}`;
if (readFileSync(checkIds, 'utf8').split('\n').includes(id)) refuse(`the check ${id} already exists`);
const stem = name.replaceAll('.', '-');
const constant = stem.replaceAll(/-(.)/g, (_, letter) => letter.toUpperCase());
const check = join(root, 'suites/checks', area, `${stem}.ts`);
const mutant = join(root, 'proof/mutants', area, `${stem}.ts`);
const taken = [check, mutant].find((file) => existsSync(file));
if (taken !== undefined) refuse(`${relative(root, taken)} already exists`);

write(
  check,
  `import { defineCheck } from '../../engine/check.ts';

export const ${constant} = defineCheck({
  id: '${id}',
  title: 'what holds when the check passes, as one sentence',
  requirements: ['${rule}'],
  kind: 'example',
  needs: [],
  run: async ({ http, newScene, judge, target, cases }) => {
    for (const model of target.few(target.eachModel)) {
      cases.count();
      const body = { ...newScene().minimal(model), temperature: 0.5 };
      const exchange = await http.chat(body, { label: model });
      judge.completed(exchange, { requirement: '${rule}', aspect: 'served', model });
    }
  },
});
`,
);
write(
  mutant,
  `import { refuses } from '../../edits/chat-edits.ts';
import { front } from '../../edits/mutant.ts';

export const ${constant} = front(
  ['${area}.${stem}-refused', 'what is wrong with this gateway, as one sentence', '${rule}', 'served'],
  refuses(({ temperature }) => temperature === 0.5),
);
`,
);
await import('./generate.mjs');
process.stdout.write(`then: npx gatecheck run --reference --only ${id}; npx gatecheck prove --only ${id}\n`);

function write(file, text) {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  process.stdout.write(`${relative(root, file)}\n`);
}

function refuse(why) {
  process.stderr.write(`${why}\n`);
  process.exit(2);
}
