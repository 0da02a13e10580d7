import { Agent, request } from 'undici';
import type { Arm, ArmState, TenantRule, TenantRuleState } from './arming.ts';
import type { FaultFacts, JobFaultFacts, WebhookFaultFacts } from './fault-facts.ts';
import type { FileForm, JobMove, JobReport, JobState, JobsAnswer, ScriptedJob } from './job-shapes.ts';
import type {
  ClockAnswer,
  FaultsAnswer,
  HealthAnswer,
  JournalAnswer,
  JournalEntry,
  JournalQuery,
  Reply,
  Script,
} from './protocol.ts';
import type { Scenario, ScenarioChoice, ScenarioState } from './scenario.ts';

export type {
  Arm,
  ArmState,
  ClockAnswer,
  FaultFacts,
  FileForm,
  HealthAnswer,
  JobMove,
  JobReport,
  JobState,
  JournalAnswer,
  JournalEntry,
  JournalQuery,
  Reply,
  Scenario,
  ScenarioChoice,
  ScenarioState,
  Script,
  ScriptedJob,
  TenantRule,
  TenantRuleState,
};

/** A call that the simulators refused. `path` names the bad member of the body. */
export class ControlError extends Error {
  override readonly name = 'ControlError';
  readonly status: number;
  readonly path: string | null;

  constructor(status: number, message: string, path: string | null) {
    super(message);
    this.status = status;
    this.path = path;
  }
}

/** Options of every call: aborting the signal cancels the call, also a long poll. */
export interface CallOptions {
  readonly signal?: AbortSignal;
}

/** Longer than a full journal, bytes. */
const maxAnswerBytes = 256 * 1024 * 1024;

/** How a control API beyond this machine is reached. */
export interface ControlAccess {
  /** The token that it asks for. */
  readonly token?: string;
  /** Certificates that vouch for it, PEM. */
  readonly ca?: string;
}

/** A client of the control API. All calls throw {@link ControlError} when refused. */
export class SimulatorControl {
  readonly #call: Call;
  readonly #agent: Agent;

  /** `controlUrl` as the simulators printed it. */
  constructor(controlUrl: string, { token, ca }: ControlAccess = {}) {
    const agent = new Agent({
      // No timeouts: the server limits long polls itself.
      ...{ headersTimeout: 0, bodyTimeout: 0, maxResponseSize: maxAnswerBytes },
      ...(ca === undefined ? {} : { connect: { ca } }),
    });
    const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
    this.#agent = agent;
    const base = controlUrl.replace(/\/+$/, '');
    this.#call = (method, path, body, options) =>
      call({ agent, headers }, method, `${base}${path}`, body, options);
  }

  health(options?: CallOptions): Promise<HealthAnswer> {
    return this.#call('GET', '/health', undefined, options);
  }

  /** The upstreams of one tenant. Sends no request: naming a tenant creates it. */
  tenant(name: string): TenantControl {
    return new TenantControl(this.#call, name);
  }

  /** The facts of every fault of the catalogue. */
  async faults(options?: CallOptions): Promise<readonly (FaultFacts | JobFaultFacts | WebhookFaultFacts)[]> {
    return (await this.#call<FaultsAnswer>('GET', '/faults', undefined, options)).faults;
  }

  clock(options?: CallOptions): Promise<ClockAnswer> {
    return this.#call('GET', '/clock', undefined, options);
  }

  /** Moves the simulators' clock; refused (409) unless they were started with a test clock. */
  advance(ms: number, options?: CallOptions): Promise<ClockAnswer> {
    return this.#call('POST', '/clock', { advance_ms: ms }, options);
  }

  /** Assigns matching requests to a tenant; returns the id of the rule. */
  async addTenantRule(rule: TenantRule, options?: CallOptions): Promise<string> {
    return (await this.#call<{ id: string }>('POST', '/scopes', rule, options)).id;
  }

  /** The rules in the order in which they are tried; keys as the beginning of their hashes. */
  async tenantRules(options?: CallOptions): Promise<TenantRuleState[]> {
    return (await this.#call<{ scopes: TenantRuleState[] }>('GET', '/scopes', undefined, options)).scopes;
  }

  async removeTenantRule(id: string, options?: CallOptions): Promise<void> {
    await this.#call('DELETE', `/scopes/${encodeURIComponent(id)}`, undefined, options);
  }

  /** Closes the connections. */
  async close(): Promise<void> {
    await this.#agent.destroy();
  }
}

/** One tenant: what its upstreams answer, and what they received. */
export class TenantControl {
  readonly name: string;
  readonly #call: Call;
  readonly #path: string;

  constructor(call: Call, name: string) {
    this.name = name;
    this.#call = call;
    this.#path = `/lanes/${encodeURIComponent(name)}`;
  }

  /** Adds a script and returns its id. */
  async script(script: Script, options?: CallOptions): Promise<string> {
    const { id } = await this.#call<{ id: string }>('POST', `${this.#path}/scripts`, script, options);
    return id;
  }

  async unscript(id: string, options?: CallOptions): Promise<void> {
    await this.#call('DELETE', `${this.#path}/scripts/${encodeURIComponent(id)}`, undefined, options);
  }

  /** Adds an arm, which wins over scripts and scenario; returns its id. */
  async arm(arm: Arm, options?: CallOptions): Promise<string> {
    return (await this.#call<{ id: string }>('POST', `${this.#path}/arms`, arm, options)).id;
  }

  /** The active arms in the order in which they were added. */
  async arms(options?: CallOptions): Promise<ArmState[]> {
    return (await this.#call<{ arms: ArmState[] }>('GET', `${this.#path}/arms`, undefined, options)).arms;
  }

  /** Removes one arm, or all of them. */
  async disarm(id?: string, options?: CallOptions): Promise<void> {
    const which = id === undefined ? '' : `/${encodeURIComponent(id)}`;
    await this.#call('DELETE', `${this.#path}/arms${which}`, undefined, options);
  }

  /** Starts a scenario: a file of `fixtures/scenarios` by its name without `.yaml`, or one given inline. */
  play(choice: ScenarioChoice, options?: CallOptions): Promise<ScenarioState> {
    return this.#call('POST', `${this.#path}/scenario`, choice, options);
  }

  /** The state of the tenant's scenario; refused (404) when it has none. */
  scenario(options?: CallOptions): Promise<ScenarioState> {
    return this.#call('GET', `${this.#path}/scenario`, undefined, options);
  }

  /** Goes to the next phase, on every channel or on one. */
  step(channel?: string, options?: CallOptions): Promise<ScenarioState> {
    const body = channel === undefined ? {} : { channel };
    return this.#call('POST', `${this.#path}/scenario/step`, body, options);
  }

  /** Ends the tenant's own scenario. */
  async stop(options?: CallOptions): Promise<void> {
    await this.#call('DELETE', `${this.#path}/scenario`, undefined, options);
  }

  /** Opens the gates where requests wait (only that of request `n`, when given); returns how many. */
  async release(n?: number, options?: CallOptions): Promise<number> {
    const body = n === undefined ? {} : { request: n };
    const { released } = await this.#call<{ released: number }>(
      'POST',
      `${this.#path}/release`,
      body,
      options,
    );
    return released;
  }

  /** Removes scripts, arms, scenario and journal, restarts the draws, and aborts every request in flight. */
  async reset(options?: CallOptions): Promise<void> {
    await this.#call('POST', `${this.#path}/reset`, undefined, options);
  }

  /** The jobs of its upstreams in order of submission. */
  async jobs(options?: CallOptions): Promise<JobState[]> {
    return (await this.#call<JobsAnswer>('GET', `${this.#path}/jobs`, undefined, options)).jobs;
  }

  /** Moves a job by hand and returns its new state; refused (409) once it has ended. */
  moveJob(id: string, move: JobMove, options?: CallOptions): Promise<JobState> {
    return this.#call('POST', `${this.#path}/jobs/${encodeURIComponent(id)}`, move, options);
  }

  /** Reads the journal. With `requests`, `waiting` or `ended` it waits for them up to `timeout_ms`. */
  journal(query: JournalQuery = {}, options?: CallOptions): Promise<JournalAnswer> {
    const search = new URLSearchParams();
    for (const [name, value] of Object.entries(query)) {
      if (value !== undefined) search.set(name, String(value));
    }
    const suffix = search.size === 0 ? '' : `?${search}`;
    return this.#call('GET', `${this.#path}/journal${suffix}`, undefined, options);
  }
}

type Method = 'GET' | 'POST' | 'DELETE';

type Call = <T>(method: Method, path: string, body?: unknown, options?: CallOptions) => Promise<T>;

async function call<T>(
  { agent, headers }: { readonly agent: Agent; readonly headers: Record<string, string> },
  method: Method,
  url: string,
  body: unknown,
  { signal }: CallOptions = {},
): Promise<T> {
  const response = await request(url, {
    dispatcher: agent,
    method,
    ...(signal === undefined ? {} : { signal }),
    ...(body === undefined
      ? { headers }
      : { body: JSON.stringify(body), headers: { ...headers, 'content-type': 'application/json' } }),
  });
  const text = await response.body.text();
  const answer = parseJson(text);
  if (response.statusCode === 200) return answer as T;
  throw refusalOf(response.statusCode, answer, `${method} ${new URL(url).pathname}`);
}

function refusalOf(status: number, answer: unknown, what: string): ControlError {
  const error = typeof answer === 'object' && answer !== null && 'error' in answer ? answer.error : null;
  const { message, path } = (typeof error === 'object' && error !== null ? error : {}) as Partial<
    Record<'message' | 'path', unknown>
  >;
  const said = typeof message === 'string' ? message : `${what} was answered with ${status}`;
  return new ControlError(status, said, typeof path === 'string' ? path : null);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
