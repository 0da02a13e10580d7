import { z } from 'zod';
import { profileSchema } from './profile.ts';

/** The JSON schema of the profile file, for completion and descriptions in editors. */
export function profileJsonSchema(): object {
  return z.toJSONSchema(profileSchema, { io: 'input', unrepresentable: 'any', reused: 'ref' });
}
