import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { scriptFileSchema } from '../simulators/schemas/script-schema.ts';
import { toJsonSchema } from '../simulators/schemas/to-json-schema.ts';

/** Here, because the simulators do not depend on a validator of JSON Schemas. */
it('the published schema of scripts takes the example of the page, and no misspelt or missing member', () => {
  const page = readFileSync(new URL('../docs/scripts.md', import.meta.url), 'utf8');
  const example = parse(page.match(/```yaml\n(.*?)```/s)?.[1] ?? '') as { scripts: object[] };
  const validate = new Ajv2020({ formats: { base64: true, uri: true } }).compile(
    toJsonSchema(scriptFileSchema, 'input'),
  );
  validate(example);
  expect(validate.errors).toBe(null);
  for (const wrong of [{ match: {} }, { reply: 'a', replies: ['b'] }, { reply: 'a', mach: {} }, { reply: 7 }])
    expect([wrong, validate({ scripts: [...example.scripts, wrong] })]).toEqual([wrong, false]);
});
