import { type FakeUpstream, json, type Reply, type SeenRequest } from './fake-upstream.ts';

/** A job that an upstream made. */
export interface NativeJob {
  readonly id: string;
  /** The key that its caller gave it. */
  readonly name: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look at arbitrary members of a JSON body.
  readonly body: any;
}

/** An upstream that accepts jobs, in one of the two dialects. */
export interface NativeJobs {
  /** In the order of creation. */
  readonly made: NativeJob[];
  /** What a status answer contains in addition to the job's id. */
  record: Record<string, unknown>;
  /** Status answers of single jobs, by job id. */
  readonly records: Map<string, Record<string, unknown>>;
  /** Files by name; each is served at `{url}/files/{name}`. */
  readonly files: Map<string, Reply>;
  /** Makes the job for a request: for scripts that then answer something else, or nothing. */
  make(request: SeenRequest): NativeJob;
}

/** Makes an upstream accept jobs in the jobs dialect: one job per key, however often it is requested. */
export function playJobs(upstream: FakeUpstream): NativeJobs {
  const make = (request: SeenRequest): NativeJob => {
    const name = String(request.headers['idempotency-key']);
    const known = native.made.find((job) => job.name === name);
    if (known !== undefined) return known;
    const job = { id: `job_${native.made.length + 1}`, name, body: request.body };
    native.made.push(job);
    return job;
  };
  const native: NativeJobs = {
    made: [],
    record: { status: 'queued' },
    records: new Map(),
    files: new Map(),
    make,
  };
  upstream.fallback = (response, request) => {
    const before = native.made.length;
    const { id } = make(request);
    const status = native.made.length === before ? 200 : 201;
    json(status, { id, status: 'queued', progress: 0, created_at: 1 })(response, request);
  };
  upstream.answer = (response, request) => {
    if (serveFile(native, response, request)) return;
    const job = native.made.find(({ id }) => request.path === `/v1/jobs/${id}`);
    const reply =
      job === undefined
        ? json(404, { error: { message: 'RAW', code: 'job_not_found' } })
        : json(200, { id: job.id, progress: 0, output: null, error: null, ...recordOf(native, job) });
    reply(response, request);
  };
  return native;
}

/** Makes an upstream accept jobs in the callback-jobs dialect: one job per start. */
export function playRecords(upstream: FakeUpstream): NativeJobs {
  const make = (request: SeenRequest): NativeJob => {
    const { body } = request;
    const job = { id: `n${native.made.length + 1}`, name: body.reference, body };
    native.made.push(job);
    return job;
  };
  const native: NativeJobs = {
    made: [],
    record: { status: 'PENDING' },
    records: new Map(),
    files: new Map(),
    make,
  };
  upstream.fallback = (response, request) => {
    json(200, { code: 200, msg: 'success', data: { taskId: make(request).id } })(response, request);
  };
  upstream.answer = (response, request) => {
    if (serveFile(native, response, request)) return;
    const { searchParams } = new URL(request.path, 'http://upstream');
    const [id, name] = [searchParams.get('taskId'), searchParams.get('reference')];
    const job = native.made.find((one) => one.id === id || one.name === name);
    const record = job && { taskId: job.id, reference: job.name, results: [], ...recordOf(native, job) };
    const reply =
      record === undefined
        ? { code: 404, msg: 'record not found', data: null }
        : { code: 200, msg: 'success', data: record };
    json(200, reply)(response, request);
  };
  return native;
}

function recordOf({ record, records }: NativeJobs, { id }: NativeJob): Record<string, unknown> {
  return records.get(id) ?? record;
}

function serveFile({ files }: NativeJobs, ...[response, request]: Parameters<Reply>): boolean {
  const reply = files.get(request.path.replace('/files/', ''));
  if (reply === undefined) return false;
  void reply(response, request);
  return true;
}
