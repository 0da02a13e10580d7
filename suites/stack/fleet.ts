import { randomBytes } from 'node:crypto';
import { type Profile, profileSchema } from '../profile/profile.ts';
import { startBalancer } from './balancer.ts';
import type { Child } from './child.ts';
import { stackProfile } from './config.ts';
import { type GatewayStart, type StackFacts, startGateway } from './start-gateway.ts';

/** A gateway as several processes on a database server, instead of one process with an embedded database. */
export interface FleetOptions {
  /** The URL of a PostgreSQL server whose user may create databases. */
  readonly serverUrl: string;
  /** The number of gateways; more than one get a balancer. */
  readonly processes: number;
  /** Worker processes of each gateway. */
  readonly workers: number;
}

/** Gateways that are judged as one deployment. */
export interface Fleet {
  readonly profile: Profile;
  readonly children: readonly Child[];
  /** Ends the processes, and removes their database. */
  stop(): Promise<void>;
}

/**
 * Starts gateways on their own database. Several gateways get a balancer, which distributes connections in turn, and one URL
 * for all their hooks.
 */
export async function startFleet(
  folder: string,
  name: string,
  facts: StackFacts,
  more: GatewayStart,
  options: FleetOptions,
): Promise<Fleet> {
  const ends: (() => Promise<unknown>)[] = [];
  const stop = async (): Promise<void> => {
    for (const end of ends.splice(0).reverse()) await end();
  };
  try {
    const database = await makeDatabase(options.serverUrl);
    ends.push(() => database.drop());
    const start = async (name: string, port: number, publicUrl: string | null): Promise<Started> => {
      const started = await startGateway(folder, name, facts, {
        ...{ ...more, port, env: { ...more.env, DATABASE_URL: database.url } },
        fleet: { databaseUrl: database.url, workers: options.workers, publicUrl },
      });
      ends.push(() => started.child.stop());
      return started;
    };
    if (options.processes === 1) {
      const { child, profile } = await start(name, more.port, null);
      return { profile, children: [child], stop };
    }
    const balancer = await startBalancer(more.port);
    ends.push(() => balancer.close());
    const starting = Array.from({ length: options.processes }, (_, at) =>
      start(`${name}-${at + 1}`, 0, balancer.url),
    );
    await Promise.allSettled(starting);
    const started = await Promise.all(starting);
    const urls = started.map(({ profile }) => profile.base_url);
    balancer.leadTo(urls);
    // A server of node:http takes long to load, and most stacks have one process.
    const { startHookFan } = await import('./hook-fan.ts');
    const hooks = await startHookFan(() => urls);
    ends.push(() => hooks.close());
    const { secrets, addresses, shape } = facts;
    const declared = stackProfile(secrets, balancer.url, await addresses, shape, {
      hooksUrl: hooks.url,
      processes: options.processes * options.workers,
    });
    return { profile: profileSchema.parse(declared), children: started.map(({ child }) => child), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

type Started = Awaited<ReturnType<typeof startGateway>>;

/** A database on a PostgreSQL server for one stack only. */
interface ServerDatabase {
  readonly url: string;
  /** Drops the database. */
  drop(): Promise<void>;
}

/** Creates a database on the server at this URL, whose user must have the right to do so. */
async function makeDatabase(serverUrl: string): Promise<ServerDatabase> {
  const name = `gatecheck_stack_${randomBytes(6).toString('hex')}`;
  await tell(serverUrl, `create database ${name}`);
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return { url: url.href, drop: () => tell(serverUrl, `drop database if exists ${name} with (force)`) };
}

async function tell(serverUrl: string, statement: string): Promise<void> {
  // Loaded on demand, because only stacks on a database server need it.
  const { default: pg } = await import('pg');
  const client = new pg.Client({ connectionString: serverUrl });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
