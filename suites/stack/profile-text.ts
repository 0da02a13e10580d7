import { stringify } from 'yaml';
import type { Profile } from '../profile/profile.ts';

/**
 * A profile as YAML. Each lane is a line of JSON, which is YAML too: to write two hundred of them in other form takes a
 * tenth of the time in which a stack starts.
 */
export function profileText({ lanes, ...profile }: Profile): string {
  const lines = lanes.map((lane) => `  - ${JSON.stringify(lane)}\n`);
  return `${stringify(profile)}lanes:${lines.length === 0 ? ' []\n' : `\n${lines.join('')}`}`;
}
