// Checks of our own, beside those of Gatecheck:
//
//   npx gatecheck run --checks own-checks.ts --only ACME,acme.echo --base-url https://… --key …
//
// They have verdicts, replay lines and a place in the reports as all others, `list` and `explain` know them.

import { defineCheck, defineRequirement, jsonOf, must, outcomeOf } from 'gatecheck';

/** What we promise beside the specification. The word before the number is the area in reports. */
export const requirements = [
  defineRequirement({
    id: 'ACME-001',
    level: 'MUST',
    statement: 'The reason of a refusal is one line of at most 300 characters.',
    section: 'Our style guide, errors',
  }),
];

const refusedBodies = [{}, { model: 'no-such-model', messages: [] }, { model: 7 }];

const shortReasons = defineCheck({
  id: 'acme.errors.short',
  title: 'the reason of a refusal is one short line',
  requirements: ['ACME-001'],
  kind: 'example',
  // Nothing beyond an address and a key.
  needs: [],
  run: async ({ http, cases }) => {
    for (const body of refusedBodies) {
      cases.count();
      const exchange = await http.chat(body);
      const answer = jsonOf(exchange) as { error?: { message?: unknown } } | undefined;
      const reason = answer?.error?.message;
      must(typeof reason === 'string' && reason.length <= 300 && !reason.includes('\n'), {
        requirement: 'ACME-001',
        aspect: 'long-reason',
        expected: 'one line of at most 300 characters in error.message',
        actual: `${outcomeOf(exchange)} with ${JSON.stringify(reason)}`,
        exchange,
      });
    }
  },
});

const namesArrive = defineCheck({
  id: 'acme.echo.names',
  title: 'names in any script come back from the upstream as it wrote them',
  // A rule of the specification may have more checks, too.
  requirements: ['RESP-024'],
  kind: 'upstream',
  needs: ['upstream.control'],
  run: async ({ http, newScene, cases, judge, target }) => {
    for (const name of ['Zoë', 'Łukasz', '李小龍', 'مريم', '👩‍🚀']) {
      cases.count();
      // A scene marks its prompt, so that only this call gets this answer.
      const scene = newScene();
      await scene.script({ text: name });
      const model = target.anyModel();
      const exchange = await http.chat(scene.minimal(model));
      const completion = judge.completed(exchange, { requirement: 'RESP-024', aspect: 'answered', model });
      must(completion.content === name, {
        requirement: 'RESP-024',
        aspect: 'name-changed',
        expected: `the text ${name}`,
        actual: String(completion.content),
        exchange,
      });
    }
  },
});

export const checks = [shortReasons, namesArrive];
