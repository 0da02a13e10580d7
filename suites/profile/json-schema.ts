import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { profileSchema } from './profile.ts';

/** The JSON schema of the profile file, for completion and descriptions in editors. */
export function profileJsonSchema(): object {
  return z.toJSONSchema(profileSchema, { io: 'input', unrepresentable: 'any', reused: 'ref' });
}

const kept = new URL('./profile-schema.json', import.meta.url);

/** The path of a file with that schema. The package ships it; in a clone it is written wherever the sources have changed. */
export function profileSchemaFile(): string {
  const text = JSON.stringify(profileJsonSchema());
  if (!existsSync(kept) || readFileSync(kept, 'utf8') !== text) writeFileSync(kept, text);
  return fileURLToPath(kept);
}
