import { randomInt } from 'node:crypto';
import { diagnose, soundness } from '../doctor/diagnose.ts';
import { diagnosisText } from '../doctor/diagnosis-text.ts';
import { ownModel } from '../doctor/profile-text.ts';
import { type ExitCode, exitCodes } from '../process/exit-codes.ts';
import { knownChecks } from '../runner/known-checks.ts';
import { type TargetOptions, withTarget } from './reach-target.ts';
import { reachUndone } from './reach-undone.ts';

export interface DoctorOptions extends TargetOptions {
  readonly all: boolean;
  readonly json: boolean;
}

const endings = {
  sound: exitCodes.conforming,
  broken: exitCodes.failures,
  mistaken: exitCodes.usage,
} as const;

/** `gatecheck doctor`: what it detects about a deployment, and what its profile lacks. It makes no paid calls. */
export async function doctorCommand(options: DoctorOptions): Promise<ExitCode> {
  const target = await reachUndone(withTarget(options), randomInt(2 ** 31));
  try {
    const diagnosis = await diagnose(target.undone.profile, (await knownChecks()).checks);
    const text = options.json
      ? `${JSON.stringify(diagnosis, null, 2)}\n`
      : diagnosisText(diagnosis, { all: options.all, model: ownModel(target.undone.profile.dialect) });
    process.stdout.write(text);
    return endings[soundness(diagnosis)];
  } finally {
    await target.stop();
  }
}
