/** The names behind the area codes of the register. */
const names: Readonly<Record<string, string>> = {
  AUD: 'Audio',
  AUTH: 'Authentication',
  BILL: 'Billing',
  CACHE: 'Prompt cache',
  CAT: 'Model catalogue',
  CHAT: 'Chat request',
  COMPA: 'Compat path A',
  COMPB: 'Compat path B',
  EP: 'Endpoints',
  ERR: 'Errors',
  HOOK: 'Webhooks',
  IMG: 'Images',
  IMGM: 'Images by model',
  JRNY: 'Multi-step images',
  LIM: 'Limits',
  MSG: 'Messages',
  RECV: 'Webhook receivers',
  RESP: 'Chat response',
  ROUTE: 'Routing',
  SONG: 'Music',
  SSE: 'Streaming',
  STATE: 'Task states',
  TASK: 'Tasks',
  TOOL: 'Tools',
  VER: 'Versioning',
  VID: 'Video',
};

/** The readable name of an area; an unknown code is returned unchanged. */
export function areaName(area: string): string {
  return Object.hasOwn(names, area) ? (names[area] ?? area) : area;
}

/** Groups items by area. Areas are in alphabetical order of their codes; items keep their order. */
export function groupByArea<T extends { area: string }>(things: readonly T[]): [string, T[]][] {
  const groups = new Map<string, T[]>();
  for (const thing of things) {
    const group = groups.get(thing.area);
    if (group === undefined) groups.set(thing.area, [thing]);
    else group.push(thing);
  }
  return [...groups].sort(([a], [b]) => (a < b ? -1 : 1));
}
