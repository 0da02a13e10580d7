// `npm run new check <area> <name> <RULE>`: the skeleton of a check and of the mutant that proves it, and the pinned id.
// `npm run new fault <group> <name>`: the facts of a fault, its program and the test of its bytes.
//
//   npm run new check auth key.length AUTH-004
//   npm run new fault stream half-word
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const [kind, ...given] = process.argv.slice(2);
const faultGroups = { transport: 'T', status: 'H', protocol: 'P', stream: 'S', semantic: 'M' };
if (kind === 'check') await newCheck(...given);
else if (kind === 'fault') await newFault(...given);
else refuse('usage: npm run new check <area> <name> <RULE>, or: npm run new fault <group> <name>');

async function newCheck(area = '', name = '', rule = '') {
  const isNamed = /^[a-z]+$/.test(area) && /^[a-z0-9]+(?:[.-][a-z0-9]+)*$/.test(name);
  if (!isNamed || !/^[A-Z]+-\d{3}$/.test(rule)) {
    const { areas } = await import('../suites/checks/areas.ts');
    const wrong = area === '' ? '' : `${isNamed ? rule : `${area} ${name}`}: not of the form below\n\n`;
    refuse(`${wrong}usage: npm run new check <area> <name> <RULE>

  area   where it stands and how its id begins: ${areas.join(', ')}
  name   the rest of its id, words with dots and hyphens between: key.length
  RULE   the row of fixtures/requirements/ that it proves: AUTH-004

It writes suites/checks/<area>/<name>.ts and a mutant that the check must detect in proof/mutants/<area>/. It renews
suites/checks/check-costs.json and pages in docs/. Fill in the two files. Then both commands must pass:

  npx gatecheck run --reference --only <area>.<name>
  npx gatecheck prove --only <area>.<name>

For example: npm run new check auth key.length AUTH-004`);
  }

  const { loadRegister } = await import('../suites/rules/register.ts');
  if (!loadRegister().has(rule)) refuse(`${rule} is not in fixtures/requirements/: add its row first`);
  const { areas, checkIds } = await import('../suites/checks/areas.ts');
  if (!areas.includes(area)) refuse(`there is no area ${area}; areas: ${areas.join(', ')}`);

  const id = `${area}.${name}`;
  if (checkIds.includes(id)) refuse(`the check ${id} already exists`);
  const stem = name.replaceAll('.', '-');
  const constant = camelCase(stem);
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
  needs: [${area === 'auth' ? "'chat'" : ''}],
  run: async ({ http, newScene, judge, target, cases }) => {
    for (const model of target.few(target.eachModel)) {
      cases.count();
      const body = { ...newScene().minimal(model), temperature: 0.5 };
      const exchange = await http.chat(body, { label: model });
      judge.completed(exchange, { requirement: '${rule}', aspect: 'served', model });
      // Anything else: must(holds, { requirement, aspect, exchange, expected, actual }) of '../../rules/violation.ts'.
    }
    throw new Error('fill in ${id}, and remove this line');
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
  process.stdout.write(
    `then: npx gatecheck run --reference --only ${id}; npx gatecheck prove --only ${id}\n`,
  );
}

async function newFault(group = '', name = '') {
  const letter = faultGroups[group];
  if (letter === undefined || !/^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(name))
    refuse(`usage: npm run new fault <group> <name>; groups: ${Object.keys(faultGroups).join(', ')}`);
  const { allFaultFacts } = await import('../simulators/fault-contract/known-faults.ts');
  if (allFaultFacts.some((facts) => facts.name === name)) refuse(`there is a fault ${name}`);
  const numbers = allFaultFacts
    .filter(({ id }) => id.startsWith(letter))
    .map(({ id }) => Number(id.slice(1)));
  const id = `${letter}${Math.max(...numbers) + 1}`;
  const stem = `${id.toLowerCase()}-${name}`;
  const constant = camelCase(/^\d/.test(name) ? `fault-${name}` : name);
  const facts = join(root, 'fixtures/faults', `${group}.json`);
  const entry = {
    id,
    name,
    cause: 'what is wrong, in a few words',
    wire: 'what is on the wire, as one sentence',
    held: [],
    dialects: ['chat-completions', 'messages', 'generate-content'],
    calls: ['plain', 'stream'],
    verdict: 'served',
  };
  const members = Object.entries(entry).map(([member, value]) => `    "${member}": ${JSON.stringify(value)}`);
  const text = readFileSync(facts, 'utf8').trimEnd().replace(/\n\]$/, '');
  write(facts, `${text},\n  {\n${members.join(',\n').replaceAll('","', '", "')}\n  }\n]\n`);
  const folder = join(root, 'simulators/faults', group);
  write(
    join(folder, `${stem}.ts`),
    `import type { Fault } from '../../fault-contract/fault.ts';
import { editAnswer, mapEvents } from '../native/edit-answer.ts';

/** What is wrong, and when an upstream does that. */
export const ${constant}: Fault = editAnswer('${id}', (frames) =>
  mapEvents(frames, (data) => ({ ...data, unheard_of: true })),
);
`,
  );
  write(
    join(folder, `${stem}.test.ts`),
    `import { expect, it } from 'vitest';
import { chatDialectNames } from '../../answers/native-answer.ts';
import { bodyOf, edited, givenAnswer } from '../../testing/given-answer.ts';
import { useSimulators } from '../../testing/simulators.ts';
import { ${constant} } from './${stem}.ts';

const simulators = useSimulators();

it.each(chatDialectNames)('what is on the wire, in %s', async (dialect) => {
  const answer = await givenAnswer(simulators, { dialect, call: 'stream' }, { deltas: ['Ebb ', 'and flow'] });
  expect(bodyOf(edited(${constant}, answer)).toString()).toContain('"unheard_of":true');
});
`,
  );
  await import('./generate.mjs');
  process.stdout.write(
    `fill in the three files; then: npx vitest run --project units simulators/faults; npx gatecheck run --reference --only ${id}\n` +
      'then: npm run generate; and record what the official clients make of it (2 minutes):\n' +
      'node_modules/.bin/node simulators/clients/testing/record.ts\n',
  );
}

function camelCase(stem) {
  return stem.replaceAll(/-(.)/g, (_, letter) => letter.toUpperCase());
}

function write(file, text) {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  process.stdout.write(`${relative(root, file)}\n`);
}

function refuse(why) {
  process.stderr.write(`${why}\n`);
  process.exit(2);
}
