/** A group of rules that any exchange may show. */
export interface ExchangeRow {
  /** The id of its check, without its area. */
  readonly id: string;
  readonly title: string;
  /** The rules that its findings may name. */
  readonly requirements: readonly [string, ...string[]];
  /** The traffic that it needs. */
  readonly traffic: string;
  /** Checks that send such traffic. They run when this row is selected alone. */
  readonly senders: readonly [string, ...string[]];
}

/** Rows that need only the exchange, so they also work on recorded or live traffic. */
export const shownRows = {
  chat: {
    id: 'chat.answer',
    title: 'whole answers of chat: status, form, model, usage',
    requirements: [
      ...(['RESP-023', 'RESP-001', 'RESP-002', 'RESP-003', 'RESP-004', 'RESP-006', 'RESP-007'] as const),
      ...['RESP-008', 'RESP-009', 'RESP-014', 'RESP-020', 'RESP-021', 'TOOL-008', 'TOOL-009', 'TOOL-017'],
    ],
    traffic: 'a chat that is answered',
    senders: ['chat.minimal.every-model'],
  },
  stream: {
    id: 'chat.stream',
    title: 'streams of chat: grammar, chunks, order, end, usage',
    requirements: [
      ...(['SSE-001', 'SSE-002', 'SSE-003', 'SSE-004', 'SSE-005', 'SSE-008', 'SSE-009'] as const),
      ...['SSE-012', 'SSE-013', 'SSE-016', 'TOOL-018'],
    ],
    traffic: 'a chat that is streamed',
    senders: ['sse.shape.every-model'],
  },
  errors: {
    id: 'error.shape',
    title: 'refusals: form, code, status and type by the error table, no leaks',
    requirements: [
      'ERR-001',
      'ERR-002',
      'ERR-003',
      'ERR-004',
      'ERR-005',
      'ERR-006',
      'ERR-007',
      'ERR-008',
      'ROUTE-017',
    ],
    traffic: 'a refusal',
    senders: [
      ...(['err.code.invalid-param', 'err.code.model-not-found', 'faces.outage.images'] as const),
      'faces.full.images',
    ],
  },
  words: {
    id: 'error.words',
    title: 'no failure speaks in the words of a library, an address, a file or a secret',
    requirements: ['ERR-005', 'ERR-009', 'COMPA-020', 'COMPB-016'],
    traffic: 'a refusal, or a failure within an answer',
    senders: ['err.upstream.text', 'compa.errors.normalised', 'compb.errors.upstreams'],
  },
  compatA: {
    id: 'compat-a.answer',
    title: 'answers and streams of compat path A',
    requirements: ['COMPA-010', 'COMPA-011'],
    traffic: 'a call of compat path A that is answered',
    senders: ['compa.models.plain', 'compa.models.streamed'],
  },
  compatB: {
    id: 'compat-b.answer',
    title: 'answers and streams of compat path B',
    requirements: ['COMPB-010', 'COMPB-011'],
    traffic: 'a call of compat path B that is answered',
    senders: ['compb.models.plain', 'compb.models.streamed'],
  },
  images: {
    id: 'images.answer',
    title: 'answers to image requests',
    requirements: ['IMG-001', 'IMG-012', 'IMG-013', 'IMG-018'],
    traffic: 'an image request that is answered',
    senders: ['img.answer.every-model'],
  },
  tasks: {
    id: 'task.answer',
    title: 'submissions and reads of tasks, each by itself',
    requirements: ['TASK-009', 'TASK-011', 'TASK-012', 'TASK-014'],
    traffic: 'a task that is submitted or read',
    senders: ['task.life.video'],
  },
  traces: {
    id: 'task.states',
    title: 'the states of a task, and the time of its submission, over all reads',
    requirements: ['STATE-002', 'STATE-008', 'STATE-009', 'TASK-012'],
    traffic: 'a task that is read twice',
    senders: ['task.life.video'],
  },
  models: {
    id: 'models.list',
    title: 'the list of models',
    requirements: ['EP-010', 'EP-003'],
    traffic: 'GET /api/v1/models',
    senders: ['ep.models.list'],
  },
} as const satisfies Readonly<Record<string, ExchangeRow>>;
export type ShownRow = keyof typeof shownRows;

/** Rows that also need access to the upstreams. */
export const upstreamRows = {
  said: {
    id: 'upstream.said',
    title: 'an answer is what its upstream said: text, tool calls and end',
    requirements: [
      ...(['RESP-024', 'SSE-007', 'TOOL-006', 'TOOL-018', 'RESP-010', 'RESP-011', 'RESP-012'] as const),
      ...['RESP-004', 'RESP-013', 'COMPA-010', 'COMPA-005', 'COMPB-010', 'COMPB-005'],
    ],
    traffic: 'an answer whose upstream request is found',
    senders: ['resp.content.native-forms', 'chat.pairs.legal', 'compa.models.plain', 'compb.models.plain'],
  },
  failures: {
    id: 'upstream.failure',
    title: 'an answer whose upstream failed, or stopped before its end, never looks whole',
    requirements: ['SSE-016', 'RESP-009', 'COMPA-011', 'COMPB-011'],
    traffic: 'an upstream that fails within its answer',
    senders: ['sse.failure.upstream-says', 'resp.finish.native-values'],
  },
  usage: {
    id: 'upstream.usage',
    title: 'the counts of an answer are those of its upstream',
    requirements: ['RESP-022', 'SSE-011', 'COMPA-016', 'COMPB-010', 'COMPA-010'],
    traffic: 'an answer whose upstream has counted',
    senders: ['resp.usage.verbatim'],
  },
  requests: {
    id: 'upstream.request',
    title: 'each upstream is sent all that the caller said, and nothing besides',
    requirements: [
      ...(['CHAT-010', 'CHAT-050', 'COMPA-001', 'COMPA-004', 'COMPA-005', 'COMPA-006', 'COMPA-007'] as const),
      ...['COMPA-021', 'COMPB-001', 'COMPB-004', 'COMPB-005', 'COMPB-018', 'JRNY-013', 'JRNY-022'],
      ...['SONG-010', 'SONG-028'],
    ],
    traffic: 'a call whose upstream request is found',
    senders: ['chat.minimal.every-model', 'song.chain.exact-parent', 'jrny.chain.exact-parent'],
  },
  pace: {
    id: 'upstream.pace',
    title: 'text, thoughts and arguments of calls arrive as their upstream sends them',
    requirements: ['SSE-018', 'COMPA-010', 'COMPB-010'],
    traffic: 'a stream whose upstream takes its time between pieces',
    senders: ['sse.unbuffered'],
  },
  attempts: {
    id: 'upstream.attempts',
    title: 'upstreams are asked as often as the text allows, and not at all for what is refused',
    requirements: [
      ...(['ROUTE-004', 'ROUTE-006', 'ROUTE-014', 'SSE-020', 'ERR-014', 'ERR-015', 'ERR-016'] as const),
      ...[
        'AUTH-020',
        'ERR-006',
        'ERR-010',
        'ERR-017',
        'ERR-020',
        'ERR-021',
        'ERR-023',
        'ERR-026',
        'BILL-001',
      ],
    ],
    traffic: 'a call whose upstream requests are found',
    senders: [
      ...(['err.code.model-not-found', 'err.code.unsupported-capability', 'err.upstream.account'] as const),
      'chat.seed.repeats',
      'faces.request.policy',
    ],
  },
} as const satisfies Readonly<Record<string, ExchangeRow>>;
export type UpstreamRow = keyof typeof upstreamRows;

/** Rows that also need access to accounts. */
export const accountRows = {
  charges: {
    id: 'account.charge',
    title: 'the balance falls by what the calls cost, by the count of their upstreams, and by nothing else',
    requirements: ['BILL-001', 'BILL-008', 'LIM-011'],
    traffic: 'calls whose costs are all known',
    senders: [
      ...([
        'bill.charge.uncounted',
        'bill.failed.upstream',
        'bill.apps.ratio',
        'bill.balance.falls',
      ] as const),
      'faults.j13.poll-404-forever',
      'compa.upstream.broken-stream',
    ],
  },
  holds: {
    id: 'account.hold',
    title: 'nothing is on hold for a call that has ended',
    requirements: ['BILL-008'],
    traffic: 'a call that has ended',
    senders: ['bill.failed.upstream'],
  },
  grounds: {
    id: 'account.grounds',
    title: 'no chat is refused for want of credit while there is some',
    requirements: ['ERR-021'],
    traffic: 'a chat of an account with credit',
    senders: ['chat.minimal.every-model'],
  },
} as const satisfies Readonly<Record<string, ExchangeRow>>;

/** Rows that also need a receiver of events. */
export const receiverRows = {
  events: {
    id: 'task.event',
    title: 'each task with a webhook_url has one event of its end, as reads show it',
    requirements: [
      ...(['HOOK-001', 'HOOK-003', 'HOOK-004', 'HOOK-005', 'HOOK-007', 'HOOK-008', 'HOOK-009'] as const),
      ...['HOOK-010', 'HOOK-012', 'HOOK-013', 'ERR-009'],
    ],
    traffic: 'a task with a webhook_url whose end is read',
    senders: ['task.life.video', 'faults.j1.submit-refused', 'faults.j4.stuck'],
  },
} as const satisfies Readonly<Record<string, ExchangeRow>>;

/** The name of a row as part of an id: `compatA` is `compat-a`. */
export function dashed(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}
