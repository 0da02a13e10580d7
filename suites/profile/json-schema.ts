import { z } from 'zod';
import { profileSchema } from './profile.ts';

/** The schema of a profile as it is written, for editors: names complete, and each member says what it is. */
export function profileJsonSchema(): object {
  return z.toJSONSchema(profileSchema, { io: 'input', unrepresentable: 'any', reused: 'ref' });
}
