import { type ExitCode, exitCodes } from '../exit-codes.ts';
import { type Deployment, writeDeployment } from '../stack/deployment-files.ts';
import { openFolder } from './output-places.ts';

/** The options of `gatecheck deployment`. */
export interface DeploymentOptions extends Deployment {
  readonly out: string;
}

/** `gatecheck deployment`: writes configuration and profile for reference gateways that are started elsewhere. */
export async function deploymentCommand({ out, ...deployment }: DeploymentOptions): Promise<ExitCode> {
  openFolder(out);
  process.stdout.write(`${JSON.stringify(writeDeployment(out, deployment))}\n`);
  return exitCodes.conforming;
}
