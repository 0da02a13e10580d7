import type { Engine } from './engine.ts';

/** A container of a group, running or not. */
export interface Member {
  readonly id: string;
  /** Its service in a compose file; for a single container its image. */
  readonly service: string;
  readonly state: string;
  /** In the engine's words: `Exited (1) 2 seconds ago`. */
  readonly status: string;
  /** Where the engine's machine has the container's ports: address (`0.0.0.0` for all) and port. */
  readonly ports: ReadonlyMap<number, { readonly address: string; readonly port: number }>;
}

/** All containers that were started together and carry one label. */
export interface ContainerGroup {
  members(): Promise<readonly Member[]>;
  /** The last lines of a member's output, oldest first. */
  tail(member: Member, lines: number): Promise<string[]>;
  /** Removes containers, networks and volumes in any state. */
  remove(): Promise<void>;
}

/** Docker's own label for the service of a container. */
const serviceLabel = 'com.docker.compose.service';

/** @param label `name=value` of the containers, and of the networks and volumes that came with them */
export function groupOf({ client }: Engine, label: string): ContainerGroup {
  const { dockerode } = client.container;
  const filters = { label: [label] };
  const members = async (): Promise<Member[]> => {
    const found = await dockerode.listContainers({ all: true, filters });
    return found.map(({ Id, Image, Labels, State, Status, Ports }) => ({
      ...{ id: Id, service: Labels[serviceLabel] ?? Image, state: State, status: Status },
      ports: new Map(
        // The same port appears twice, for IPv4 and IPv6.
        Ports.filter(({ PublicPort, IP }) => PublicPort && !IP?.includes(':')).map(
          ({ IP, PrivatePort, PublicPort }) => [PrivatePort, { address: IP ?? '', port: PublicPort }],
        ),
      ),
    }));
  };
  return {
    members,
    tail: async ({ id }, lines) => {
      const options = { stdout: true, stderr: true, tail: lines, follow: false } as const;
      const inspected = await dockerode.getContainer(id).inspect();
      const bytes = await dockerode.getContainer(id).logs(options);
      const text = inspected.Config.Tty ? bytes.toString() : withoutFrames(bytes);
      return text.split(/\r?\n/).filter((line) => line !== '');
    },
    remove: async () => {
      const gone = (work: Promise<unknown>): Promise<unknown> => work.catch(unlessGone);
      for (const { id } of await members())
        await gone(dockerode.getContainer(id).remove({ force: true, v: true }));
      for (const { Id } of await dockerode.listNetworks({ filters }))
        await gone(dockerode.getNetwork(Id).remove());
      const { Volumes } = await dockerode.listVolumes({ filters: JSON.stringify(filters) as never });
      for (const { Name } of Volumes ?? []) await gone(dockerode.getVolume(Name).remove());
    },
  };
}

/** Another process may remove the same at the same time. */
function unlessGone(error: { readonly statusCode?: number }): void {
  if (error.statusCode !== 404 && error.statusCode !== 409) throw error;
}

const frameHeader = 8;

/** Both outputs come in one stream, each piece after eight bytes that end with its length. */
function withoutFrames(bytes: Buffer): string {
  const pieces: Buffer[] = [];
  for (let at = 0; at + frameHeader <= bytes.length; ) {
    const end = at + frameHeader + bytes.readUInt32BE(at + 4);
    pieces.push(bytes.subarray(at + frameHeader, end));
    at = end;
  }
  return Buffer.concat(pieces).toString();
}
