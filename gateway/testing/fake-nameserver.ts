import { createSocket } from 'node:dgram';
import { isIP } from 'node:net';

/** What a name resolves to: addresses, or one other name. `silent` never answers, `broken` answers with an error. */
export type NameRecord = readonly string[] | 'silent' | 'broken';

export interface FakeNameserver {
  /** The address in the form that a resolver takes. */
  readonly server: string;
  /** Names that were queried, once per record type. */
  readonly asked: string[];
  readonly names: Map<string, NameRecord>;
  close(): Promise<void>;
}

const headerBytes = 12;
const typeA = 1;
const typeAaaa = 28;
const typeCname = 5;
const notFound = 3;
const broken = 2;

/** A nameserver on this machine, with a TTL of 0 s. */
export async function startNameserver(): Promise<FakeNameserver> {
  const socket = createSocket('udp4');
  const asked: string[] = [];
  const names = new Map<string, NameRecord>();
  socket.on('message', (query, from) => {
    const { name, end } = nameAt(query, headerBytes);
    const type = query.readUInt16BE(end);
    asked.push(name);
    const found = names.get(name.toLowerCase());
    if (found === 'silent') return;
    const code = found === undefined ? notFound : found === 'broken' ? broken : 0;
    const answers = typeof found === 'object' ? recordsFor(found, type, names) : [];
    const head = Buffer.from(query.subarray(0, headerBytes));
    head.writeUInt16BE(0x8180 | code, 2);
    head.writeUInt16BE(answers.length, 6);
    head.writeUInt32BE(0, 8);
    socket.send(
      Buffer.concat([head, query.subarray(headerBytes, end + 4), ...answers]),
      from.port,
      from.address,
    );
  });
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
  const close = (): Promise<void> => new Promise((resolve) => socket.close(() => resolve()));
  return { server: `127.0.0.1:${socket.address().port}`, asked, names, close };
}

function nameAt(query: Buffer, start: number): { name: string; end: number } {
  const labels: string[] = [];
  let at = start;
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join('.'), end: at + 1 };
}

/** The records of the requested type; a CNAME precedes the records of its target. */
function recordsFor(
  found: readonly string[],
  type: number,
  names: ReadonlyMap<string, NameRecord>,
): Buffer[] {
  const [first = ''] = found;
  if (isIP(first) === 0) {
    const others = names.get(first) ?? [];
    const alias = record(Buffer.from([0xc0, headerBytes]), typeCname, nameBytes(first));
    const addresses = typeof others === 'object' ? ofType(others, type) : [];
    return [alias, ...addresses.map((bytes) => record(nameBytes(first), type, bytes))];
  }
  return ofType(found, type).map((bytes) => record(Buffer.from([0xc0, headerBytes]), type, bytes));
}

function ofType(addresses: readonly string[], type: number): Buffer[] {
  if (type === typeA)
    return addresses.filter((one) => isIP(one) === 4).map((one) => Buffer.from(one.split('.').map(Number)));
  return type === typeAaaa ? addresses.filter((one) => isIP(one) === 6).map(ipv6Bytes) : [];
}

function ipv6Bytes(address: string): Buffer {
  const [head = '', tail] = address.split('::');
  const words = (text: string): number[] =>
    text === '' ? [] : text.split(':').map((word) => Number.parseInt(word, 16));
  const [before, after] = [words(head), words(tail ?? '')];
  const all = [...before, ...Array<number>(8 - before.length - after.length).fill(0), ...after];
  return Buffer.from(all.flatMap((word) => [word >> 8, word & 255]));
}

function nameBytes(name: string): Buffer {
  const labels = name
    .split('.')
    .map((label) => Buffer.concat([Buffer.from([label.length]), Buffer.from(label)]));
  return Buffer.concat([...labels, Buffer.from([0])]);
}

/** Class IN, TTL 0 s. */
function record(name: Buffer, type: number, data: Buffer): Buffer {
  const middle = Buffer.alloc(10);
  middle.writeUInt16BE(type, 0);
  middle.writeUInt16BE(1, 2);
  middle.writeUInt16BE(data.length, 8);
  return Buffer.concat([name, middle, data]);
}
