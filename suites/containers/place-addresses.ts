import { UsageError } from '../process/exit-codes.ts';

/** Where this machine reaches the ports of a deployment, by the name that its own network has for the owner. */
export type Places = ReadonlyMap<string, ReadonlyMap<number, string>>;

const address = /^(https?):\/\/([\w.-]+)(?::(\d+))?(?=[/?#]|$)/;

const usualPorts: Readonly<Record<string, number>> = { http: 80, https: 443 };

/** The ports that texts name of one owner: of `http://container:8080/llm`, 8080. */
export function portsIn(texts: Iterable<string>, owner: string): number[] {
  const ports = [...texts].flatMap((text) => {
    const found = address.exec(text);
    return found?.[2] === owner ? [portOf(found)] : [];
  });
  return [...new Set(ports)];
}

/**
 * A text that begins with an address inside the deployment, with the one that this machine reaches it at.
 * @throws UsageError for a port of the deployment that nobody outside of it reaches
 */
export function placed(text: string, places: Places): string {
  const found = address.exec(text);
  const ports = places.get(found?.[2] ?? '');
  if (found === null || ports === undefined) return text;
  const place = ports.get(portOf(found));
  if (place !== undefined) return `${found[1]}://${place}${text.slice(found[0].length)}`;
  const published = ports.size === 0 ? 'none' : [...ports.keys()].join(', ');
  throw new UsageError(
    `${found[0]}: the service ${found[2]} does not publish its port ${portOf(found)} (it publishes ${published}); add it to "ports" in the compose file`,
  );
}

/** The origins that links name inside the deployment, with those at which this machine reaches them. */
export function originsOf(places: Places): Record<string, string> {
  const rows = [...places].flatMap(([owner, ports]) =>
    [...ports].flatMap(([port, place]) =>
      Object.keys(usualPorts).map((scheme) => [
        new URL(`${scheme}://${owner}:${port}`).origin,
        `${scheme}://${place}`,
      ]),
    ),
  );
  return Object.fromEntries(rows);
}

function portOf([, scheme = '', , port]: RegExpExecArray): number {
  return port === undefined ? (usualPorts[scheme] ?? 0) : Number(port);
}
