import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';

/**
 * Import boundaries, read off the import statements of a source tree. "Walls" separate the top-level folders ("rooms"), and
 * the layers ("floors") within a folder.
 */

export const rooms = ['gateway', 'simulators', 'suites', 'reports', 'proof'] as const;
type Room = (typeof rooms)[number];

/** Imports that a room may use besides its own files. */
const allowedImports: Readonly<Record<Room, readonly string[]>> = {
  gateway: [],
  simulators: [],
  suites: ['reports/', 'simulators/control/client.ts'],
  reports: [],
  proof: rooms.map((room) => `${room}/`),
};

/** The names under which packages of this repository export their files. */
const packages: readonly (readonly [RegExp, string])[] = [
  [/^gatecheck-reports\/(.+)$/, 'reports/$1.ts'],
  [/^gatecheck-simulators\/client$/, 'simulators/control/client.ts'],
  [/^gatecheck-simulators\/(main|capture|drift)$/, 'simulators/main.ts'],
  [/^gatecheck-gateway(?:\/.+)?$/, 'gateway/main.ts'],
  [/^gatecheck-proof\/commands$/, 'proof/cli/commands.ts'],
  [/^gatecheck-proof\/mutants$/, 'proof/mutants/all-mutants.ts'],
  [/^gatecheck$/, 'suites/public-api.ts'],
];

/** Packages that only one kind of room may use, so that the two transcriptions of the text stay independent. */
const validators: Readonly<Record<string, readonly string[]>> = {
  ajv: ['suites/wire/', 'reports/', 'proof/'],
  zod: ['gateway/', 'simulators/', 'suites/profile/', 'proof/'],
};

/**
 * The layers of each room, from the top down. A file may import from its own folder and from lower layers, but not from
 * folders of its own layer. In a room with layers, every folder and file belongs to one.
 */
const floors: Readonly<Partial<Record<Room, readonly (readonly string[])[]>>> = {
  gateway: [
    ['main.ts', 'backup.ts', 'bin.mjs'],
    ['run-gateway.ts', 'workers'],
    ['open-media.ts', 'open-spool.ts', 'read-ca.ts'],
    ['drain.ts', 'start-config.ts', 'watches.ts'],
    ['app.ts'],
    ['service-parts.ts'],
    ['app-deps.ts'],
    ['endpoints'],
    ['openapi', 'hooks'],
    ['tasks'],
    ['services', 'protocols'],
    ['access', 'requests', 'routing', 'billing', 'webhooks', 'admin', 'metrics'],
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
      'tracing',
      'config.ts',
      'read-config.ts',
      'read-json-config.ts',
      'read-named-file.ts',
      'clock.ts',
      'before-deadline.ts',
      'gone.ts',
      'random-ids.ts',
      'make-folder.ts',
      'siblings.ts',
      'log',
    ],
  ],
  simulators: [
    ['main.ts', 'bin.mjs'],
    ['kits', 'drift'],
    ['in-process'],
    ['start.ts', 'receiver-kit.ts'],
    ['api', 'listeners', 'page'],
    ['serving', 'files', 'capture'],
    ['schemas', 'passthrough'],
    ['variants'],
    ['faults'],
    ['providers'],
    ['state', 'latency'],
    ['scenarios'],
    ['requests', 'fault-contract'],
    ['control'],
    ['recordings'],
    ['answers'],
    ['json', 'encoders', 'webhooks'],
    ['http', 'clock.ts', 'random.ts', 'tokens.ts', 'process-end.ts'],
  ],
  suites: [
    ['vitest.ts'],
    ['cli', 'public-api.ts'],
    ['deviations', 'receiver-judge'],
    ['doctor', 'fuzz', 'drill', 'watch'],
    ['plan'],
    ['runner', 'stack', 'containers', 'dialects'],
    ['checks'],
    ['histories'],
    ['steps', 'rewrite'],
    ['engine'],
    ['generators'],
    ['oracle'],
    ['rules'],
    ['wire'],
    ['profile', 'receiver'],
    ['process', 'values'],
  ],
  proof: [
    ['cli', 'pages', 'walls.ts', 'adversary.ts'],
    ['examine', 'adversary'],
    ['kill-matrix'],
    ['mutants', 'variants'],
    ['edits'],
  ],
};

/** Rooms whose lowest layer has no order: its folders may import each other. */
const openGround: readonly Room[] = ['gateway'];

/** Folders whose subfolders must not import each other: shared code belongs to a lower layer. */
const apart: readonly string[] = ['suites/checks'];

/** Rooms in which no two folders may import each other, directly or indirectly. */
const withoutFolderCircles: readonly Room[] = ['gateway', 'simulators', 'suites'];

interface Import {
  readonly from: string;
  readonly to: string;
  /** The package name of an import that is not a file of the tree. */
  readonly isPackage: boolean;
}

/** All violations in the tree below `root`, one sentence each. Tests are exempt from layers. */
export function brokenWalls(root: string): string[] {
  const files = rooms.flatMap((room) => sourcesOf(join(root, room)));
  const imports = files.flatMap((file) => importsOf(root, file));
  const internal = imports.filter((one) => !one.isPackage);
  const shipped = internal.filter((one) => !isTest(one.from));
  return [
    ...internal.flatMap(throughRoomWall),
    ...imports.filter((one) => one.isPackage).flatMap(foreignValidator),
    ...shipped.flatMap(upTheFloors),
    ...shipped.flatMap(toNeighbour),
    ...shipped.flatMap(testingInUse),
    ...files.map((file) => relative(root, file)).flatMap(withoutFloor),
    ...circles(internal),
    ...circles(shipped.flatMap(betweenFolders)),
  ];
}

/** Whether a path is a test or a test helper: these belong to no layer. */
function isTest(path: string): boolean {
  return path.endsWith('.test.ts') || path.includes('/testing/');
}

function testingInUse({ from, to }: Import): string[] {
  const hasFloors = rooms.some((room) => floors[room] !== undefined && from.startsWith(`${room}/`));
  return hasFloors && isTest(to) ? [`${from} imports ${to}, which is for tests`] : [];
}

function throughRoomWall({ from, to }: Import): string[] {
  const room = rooms.find((name) => from.startsWith(`${name}/`));
  if (room === undefined || to.startsWith(`${room}/`)) return [];
  if (allowedImports[room].some((path) => (path.endsWith('/') ? to.startsWith(path) : to === path)))
    return [];
  return [`${from} imports ${to} through the wall of ${room}/`];
}

function foreignValidator({ from, to }: Import): string[] {
  const homes = validators[to.split('/')[0] ?? ''];
  if (homes === undefined || homes.some((home) => from.startsWith(home))) return [];
  return [`${from} uses ${to}, which belongs to ${homes.join(', ')}`];
}

function upTheFloors({ from, to }: Import): string[] {
  const [lower, upper] = [floorOf(from), floorOf(to)];
  if (lower === null || upper === null || lower.room !== upper.room || lower.name === upper.name) return [];
  if (upper.floor > lower.floor) return [];
  if (upper.floor === lower.floor && upper.isGround && openGround.includes(upper.room)) return [];
  return [`${from} imports ${to}, which stands on no lower floor of ${lower.room}/`];
}

interface Place {
  readonly room: Room;
  readonly name: string;
  /** Counted from the top. */
  readonly floor: number;
  readonly isGround: boolean;
}

function floorOf(path: string): Place | null {
  const [first, name] = path.split('/');
  const room = rooms.find((one) => one === first);
  const levels = room === undefined ? undefined : floors[room];
  if (room === undefined || levels === undefined || name === undefined) return null;
  const floor = levels.findIndex((names) => names.includes(name));
  return floor < 0 ? null : { room, name, floor, isGround: floor === levels.length - 1 };
}

function withoutFloor(path: string): string[] {
  const room = rooms.find((one) => path.startsWith(`${one}/`));
  if (isTest(path) || room === undefined || floors[room] === undefined || floorOf(path) !== null) return [];
  return [`${path} stands on no floor of ${room}/`];
}

function toNeighbour({ from, to }: Import): string[] {
  return apart.flatMap((folder) => {
    const [one, other] = [from, to].map((path) => partOf(folder, path));
    if (one === null || other === null || one === other) return [];
    return [`${from} imports ${to}: the folders of ${folder}/ stand apart`];
  });
}

/** The direct subfolder of `folder` that contains a path; null for a file outside it, or directly in it. */
function partOf(folder: string, path: string): string | null {
  if (!path.startsWith(`${folder}/`)) return null;
  const [part, ...rest] = path.slice(folder.length + 1).split('/');
  return part === undefined || rest.length === 0 ? null : part;
}

/** Reduces an import to the two sibling folders that contain its ends, if there are such. */
function betweenFolders({ from, to, isPackage }: Import): Import[] {
  if (!withoutFolderCircles.some((room) => from.startsWith(`${room}/`))) return [];
  const [ends, others] = [from.split('/'), to.split('/')];
  const place = ends.findIndex((name, index) => name !== others[index]);
  if (place < 0 || place >= ends.length - 1 || place >= others.length - 1) return [];
  const [folder, other] = [ends, others].map((names) => names.slice(0, place + 1).join('/'));
  return [{ from: `${folder}/`, to: `${other}/`, isPackage }];
}

/** Each import cycle once, as the path that closes it. */
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
    const own = packages.find(([name]) => name.test(specifier));
    if (own !== undefined) {
      const [name, path] = own;
      return { from: relative(root, file), to: specifier.replace(name, path), isPackage: false };
    }
    const isPackage = !specifier.startsWith('.');
    return {
      from: relative(root, file),
      to: isPackage ? specifier : relative(root, resolve(dirname(file), specifier)),
      isPackage,
    };
  });
}
