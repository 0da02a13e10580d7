/** A kind of load. Each connection sends its next request after it has read the previous answer completely. */
export interface Workload {
  readonly name: string;
  readonly kind: 'plain' | 'stream';
  readonly connections: number;
  /** Number of messages in the conversation. */
  readonly messages: number;
  /** Minimum bytes of the whole request. */
  readonly bytes: number;
  /** Number of text frames in a stream. */
  readonly chunks: number;
  /** Only for upstreams with paced frames. */
  readonly isPaced?: boolean;
}

export const sizeNames = ['smoke', 'quick', 'full'] as const;
export type SizeName = (typeof sizeNames)[number];

/** How much each size measures. */
export interface Size {
  readonly workloads: readonly Workload[];
  readonly rounds: number;
  readonly seconds: number;
  readonly warmUpSeconds: number;
}

const plain = (connections: number): Workload => ({
  name: `plain ${connections}`,
  kind: 'plain',
  connections,
  messages: 2,
  bytes: 600,
  chunks: 20,
});
const streams = (connections: number): Workload => ({
  ...plain(connections),
  name: `streams ${connections}`,
  kind: 'stream',
});

const paced = (connections: number): Workload => ({
  ...streams(connections),
  name: `paced ${connections}`,
  isPaced: true,
});

const large: readonly Workload[] = [
  { ...plain(10), name: '100 messages 10', messages: 100, bytes: 10_000 },
  { ...plain(10), name: '500 messages 10', messages: 500, bytes: 50_000 },
  { ...plain(4), name: '1 MB 4', bytes: 1024 * 1024 },
  { ...streams(4), name: '2000 chunks 4', chunks: 2_000 },
];

export const sizes: Readonly<Record<SizeName, Size>> = {
  smoke: { workloads: [plain(2), streams(2), paced(2)], rounds: 1, seconds: 0.3, warmUpSeconds: 0.1 },
  quick: {
    workloads: [plain(1), plain(50), streams(1), streams(50), paced(50)],
    rounds: 3,
    seconds: 2,
    warmUpSeconds: 2,
  },
  full: {
    workloads: [
      ...[1, 10, 50, 200].map(plain),
      ...[1, 10, 50, 200].map(streams),
      ...large,
      ...[1, 50].map(paced),
    ],
    rounds: 5,
    seconds: 3,
    warmUpSeconds: 1,
  },
};

/** The model id for which the upstream answers with this many chunks. */
export function nativeModel(chunks: number): string {
  return `native-${chunks}`;
}

/** Placeholder for a unique request number, so that no program profits from caching. */
export const numberPlace = '########';

/** The request of a workload to a model. Its last message begins with the number placeholder. */
export function requestOf({ kind, messages, bytes }: Workload, model: string): string {
  const each = Math.max(20, Math.floor(bytes / messages) - 40);
  const content = 'The quick brown fox jumps over the lazy dog. '.repeat(Math.ceil(each / 45)).slice(0, each);
  return JSON.stringify({
    model,
    messages: Array.from({ length: messages }, (_, i) => ({
      role: (messages - i) % 2 === 1 ? 'user' : 'assistant',
      content: i === messages - 1 ? numberPlace + content.slice(numberPlace.length) : content,
    })).map((message, i) => (i === 0 ? { ...message, role: messages === 1 ? 'user' : 'system' } : message)),
    max_tokens: 200,
    temperature: 0.7,
    ...(kind === 'stream' && { stream: true, stream_options: { include_usage: true } }),
  });
}
