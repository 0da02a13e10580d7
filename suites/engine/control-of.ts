import { readFileSync } from 'node:fs';
import { SimulatorControl } from 'gatecheck-simulators/client';
import type { Profile } from '../profile/profile.ts';

/** A client of the control API of the simulators that a profile declares, with the token and certificates it needs. */
export function controlOf(
  { tls: { ca } }: Pick<Profile, 'tls'>,
  { control, token }: Pick<NonNullable<Profile['upstream']>, 'control' | 'token'>,
): SimulatorControl {
  return new SimulatorControl(control, {
    ...(token === undefined ? {} : { token }),
    ...(ca === undefined || !control.startsWith('https:') ? {} : { ca: readFileSync(ca, 'utf8') }),
  });
}
