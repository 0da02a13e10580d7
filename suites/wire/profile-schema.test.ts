import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { profileJsonSchema, profileSchemaFile } from '../profile/json-schema.ts';

const at = (path: string): string => readFileSync(new URL(`../../fixtures/${path}`, import.meta.url), 'utf8');

it('is in the file that a new profile names', () => {
  expect(JSON.parse(readFileSync(profileSchemaFile(), 'utf8'))).toEqual(
    JSON.parse(JSON.stringify(profileJsonSchema())),
  );
});

it('accepts the example, and rejects an unknown member', () => {
  const validate = new Ajv2020({ strict: false, validateFormats: false }).compile(profileJsonSchema());
  const example = parse(at('targets/example.yaml'));
  expect([validate(example), validate.errors]).toEqual([true, null]);
  expect(validate({ ...example, dialekt: 'openai' })).toBe(false);
});
