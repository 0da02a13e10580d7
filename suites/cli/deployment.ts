import { type ExitCode, exitCodes, UsageError } from '../process/exit-codes.ts';
import { type Deployment, writeDeployment } from '../stack/deployment-files.ts';
import { openFolder } from './output-places.ts';

/** The options of `gatecheck deployment`. */
export interface DeploymentOptions extends Omit<Deployment, 'brokenListeners' | 'events'> {
  readonly brokenListener?: readonly string[];
  readonly eventsUrl?: string;
  readonly eventsControlUrl?: string;
  readonly eventsCa?: string;
  readonly out: string;
}

/** `gatecheck deployment`: writes configuration and profile for reference gateways that are started elsewhere. */
export async function deploymentCommand({
  out,
  brokenListener = [],
  ...more
}: DeploymentOptions): Promise<ExitCode> {
  const deployment = {
    ...more,
    brokenListeners: Object.fromEntries(brokenListener.map(listenerIn)),
    ...eventsIn(more),
  };
  openFolder(out);
  process.stdout.write(`${JSON.stringify(writeDeployment(out, deployment))}\n`);
  return exitCodes.conforming;
}

function listenerIn(text: string): [kind: string, origin: string] {
  const [, kind, origin] = /^([a-z-]+)=(https?:\/\/[^/?#]+)$/.exec(text) ?? [];
  if (kind === undefined || origin === undefined)
    throw new UsageError(
      `--broken-listener ${text}: give a kind and an origin, such as refused=http://simulators:9410`,
    );
  return [kind, origin];
}

type EventsOptions = Pick<DeploymentOptions, 'eventsUrl' | 'eventsControlUrl' | 'eventsCa'>;

function eventsIn({
  eventsUrl: url,
  eventsControlUrl: controlUrl,
  eventsCa: ca,
}: EventsOptions): Pick<Deployment, 'events'> {
  if (url === undefined && controlUrl === undefined && ca === undefined) return {};
  if (url === undefined || controlUrl === undefined || ca === undefined)
    throw new UsageError('--events-url, --events-control-url and --events-ca belong together');
  return { events: { url, controlUrl, ca } };
}
