import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';

/** The walls between the rooms, and inside the gateway, read off the import statements of a source tree. */

export const rooms = ['gateway', 'simulators', 'suites', 'reports'] as const;
type Room = (typeof rooms)[number];

/** The one file of another room that a room may import, besides its own. */
const doors: Readonly<Record<Room, readonly string[]>> = {
  gateway: [],
  simulators: [],
  suites: ['reports/', 'simulators/control/client.ts'],
  reports: [],
};

/** Packages that only one kind of room may use, so that the two transcriptions of the text stay independent. */
const validators: Readonly<Record<string, readonly string[]>> = {
  ajv: ['suites/wire/', 'reports/'],
  zod: ['gateway/', 'simulators/', 'suites/targets/'],
};

/** Floors of the gateway: a file may import from its own folder and from lower floors. */
const floors: readonly (readonly string[])[] = [
  ['main.ts'],
  ['app.ts'],
  ['endpoints'],
  ['access', 'requests', 'routing', 'billing', 'tasks', 'webhooks', 'admin', 'hooks'],
  ['work'],
  [
    'catalogue',
    'upstreams',
    'outbound',
    'store',
    'errors',
    'http',
    'money',
    'config',
    'media',
    'config.ts',
    'read-config.ts',
    'clock.ts',
  ],
];

interface Import {
  readonly from: string;
  readonly to: string;
  /** A package name, when it is no file of the tree. */
  readonly isPackage: boolean;
}

/** Everything in the tree below `root` that breaks a wall, one sentence each; empty when all stand. Tests are exempt from floors. */
export function brokenWalls(root: string): string[] {
  const imports = rooms
    .flatMap((room) => sourcesOf(join(root, room)))
    .flatMap((file) => importsOf(root, file));
  return [
    ...imports.filter((one) => !one.isPackage).flatMap(throughRoomWall),
    ...imports.filter((one) => one.isPackage).flatMap(foreignValidator),
    ...imports.filter((one) => !one.isPackage && !one.from.endsWith('.test.ts')).flatMap(upTheFloors),
    ...circles(imports.filter((one) => !one.isPackage)),
  ];
}

function throughRoomWall({ from, to }: Import): string[] {
  const room = rooms.find((name) => from.startsWith(`${name}/`));
  if (room === undefined || to.startsWith(`${room}/`)) return [];
  if (doors[room].some((door) => (door.endsWith('/') ? to.startsWith(door) : to === door))) return [];
  return [`${from} imports ${to} through the wall of ${room}/`];
}

function foreignValidator({ from, to }: Import): string[] {
  const homes = validators[to.split('/')[0] ?? ''];
  if (homes === undefined || homes.some((home) => from.startsWith(home))) return [];
  return [`${from} uses ${to}, which belongs to ${homes.join(', ')}`];
}

function upTheFloors({ from, to }: Import): string[] {
  const [lower, upper] = [floorOf(from), floorOf(to)];
  if (lower === null || upper === null || lower.name === upper.name) return [];
  if (upper.floor > lower.floor || (upper.floor === lower.floor && lower.floor === floors.length - 1))
    return [];
  return [`${from} imports ${to}, which stands on a higher floor of the gateway`];
}

function floorOf(path: string): { name: string; floor: number } | null {
  const [room, name] = path.split('/');
  if (room !== 'gateway' || name === undefined) return null;
  const floor = floors.findIndex((names) => names.includes(name));
  return floor < 0 ? null : { name, floor };
}

/** Each circle of imports once, as the path that closes it. */
function circles(imports: readonly Import[]): string[] {
  const targets = new Map<string, string[]>();
  for (const { from, to } of imports) targets.set(from, [...(targets.get(from) ?? []), to]);
  const done = new Set<string>();
  const found: string[] = [];
  const visit = (file: string, path: readonly string[]): void => {
    if (path.includes(file)) {
      found.push(`a circle of imports: ${[...path.slice(path.indexOf(file)), file].join(' > ')}`);
      return;
    }
    if (done.has(file)) return;
    for (const next of targets.get(file) ?? []) visit(next, [...path, file]);
    done.add(file);
  };
  for (const file of targets.keys()) visit(file, []);
  return found;
}

function sourcesOf(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(ts|mjs)$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name));
}

function importsOf(root: string, file: string): Import[] {
  const text = readFileSync(file, 'utf8');
  const statements = [
    ...text.matchAll(/^\s*(?:import|export)\b[^'"`;]*?\bfrom\s*['"]([^'"]+)['"]/gm),
    ...text.matchAll(/^\s*import\s*['"]([^'"]+)['"]/gm),
    ...text.matchAll(/\bimport\(\s*['"]([^'"]+)['"]/g),
  ];
  return statements.map(([, specifier = '']) => {
    const isPackage = !specifier.startsWith('.');
    return {
      from: relative(root, file),
      to: isPackage ? specifier : relative(root, resolve(dirname(file), specifier)),
      isPackage,
    };
  });
}
