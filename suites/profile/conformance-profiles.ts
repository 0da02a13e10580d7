/** Named parts of the interface, each with the areas of the register whose rules it has. */
export const conformanceProfiles = {
  'core-chat': ['EP', 'VER', 'AUTH', 'CAT', 'CHAT', 'MSG', 'TOOL', 'RESP', 'ERR'],
  streaming: ['SSE'],
  images: ['IMG', 'IMGM'],
  tasks: ['TASK', 'STATE', 'JRNY', 'VID', 'SONG', 'AUD'],
  webhooks: ['HOOK'],
  'compat-a': ['COMPA'],
  'compat-b': ['COMPB'],
  limits: ['LIM'],
  billing: ['BILL', 'CACHE'],
  upstream: ['ROUTE'],
} as const satisfies Readonly<Record<string, readonly string[]>>;

export type ConformanceProfile = keyof typeof conformanceProfiles;

export const conformanceProfileNames = Object.keys(conformanceProfiles) as ConformanceProfile[];

/** How much of a conformance profile must be judged for a run to pass, in percent of its applicable rules. */
export type Minimums = Readonly<Partial<Record<ConformanceProfile, number>>>;
