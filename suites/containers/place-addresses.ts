import { UsageError } from '../process/exit-codes.ts';

/** The addresses of a deployment's ports on this machine, by the owner's name in the deployment's network. */
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
 * The text with a leading address inside the deployment replaced by its address on this machine.
 * @throws UsageError for a port that the deployment does not publish
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

/** Maps the origins of links inside the deployment to their addresses on this machine. */
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
