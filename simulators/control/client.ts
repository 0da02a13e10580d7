import type { Call, CallOptions, ControlAccess, ControlTransport, Method } from './call.ts';
import type { FaultFacts, JobFaultFacts, WebhookFaultFacts } from './fault-facts.ts';
import type { FileForm, JobMove, JobReport, JobState, JobsAnswer, ScriptedJob } from './job-shapes.ts';
import type { JournalAnswer, JournalEntry, JournalQuery } from './journal.ts';
import type { CheckAnswer, Match, ScriptState } from './matching.ts';
import type {
  ClockAnswer,
  FaultsAnswer,
  HealthAnswer,
  Reply,
  Script,
  SettingsGiven,
  VariantFacts,
  VariantsAnswer,
} from './protocol.ts';
import type { FaultRule, FaultRuleState, TenantRule, TenantRuleState } from './rules.ts';
import type { Scenario, ScenarioChoice, ScenarioState } from './scenario.ts';

export type {
  CallOptions,
  CheckAnswer,
  ClockAnswer,
  ControlTransport,
  FaultFacts,
  FaultRule,
  FaultRuleState,
  FileForm,
  HealthAnswer,
  JobMove,
  JobReport,
  JobState,
  JournalAnswer,
  JournalEntry,
  JournalQuery,
  Match,
  Reply,
  Scenario,
  ScenarioChoice,
  ScenarioState,
  Script,
  ScriptedJob,
  ScriptState,
  SettingsGiven,
  TenantRule,
  TenantRuleState,
  VariantFacts,
};

/** A call that the simulators rejected. `path` names the invalid member of the body. */
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

/** Bytes. Larger than a full journal. */
const maxAnswerBytes = 256 * 1024 * 1024;

/** A client of the control API. All calls throw {@link ControlError} when rejected. */
export class SimulatorControl {
  readonly #call: Call;
  readonly #transport: ControlTransport;

  /** `at`: the URL that the simulators printed, or another transport to their control API. */
  constructor(at: string | ControlTransport, access: ControlAccess = {}) {
    this.#transport = typeof at === 'string' ? overHttp(at, access) : at;
    this.#call = (method, path, body, options) => call(this.#transport, method, path, body, options);
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

  /** The variants of dialects that upstreams can simulate. */
  async variants(options?: CallOptions): Promise<readonly VariantFacts[]> {
    return (await this.#call<VariantsAnswer>('GET', '/variants', undefined, options)).variants;
  }

  clock(options?: CallOptions): Promise<ClockAnswer> {
    return this.#call('GET', '/clock', undefined, options);
  }

  /** Moves the simulators' clock. Rejected (409) unless they were started with a test clock. */
  advance(ms: number, options?: CallOptions): Promise<ClockAnswer> {
    return this.#call('POST', '/clock', { advance_ms: ms }, options);
  }

  /** Assigns matching requests to a tenant; returns the id of the rule. */
  async addTenantRule(rule: TenantRule, options?: CallOptions): Promise<string> {
    return (await this.#call<{ id: string }>('POST', '/tenant-rules', rule, options)).id;
  }

  /** The rules in the order in which they are tried; keys as the beginning of their hashes. */
  async tenantRules(options?: CallOptions): Promise<TenantRuleState[]> {
    return (await this.#call<{ rules: TenantRuleState[] }>('GET', '/tenant-rules', undefined, options)).rules;
  }

  async removeTenantRule(id: string, options?: CallOptions): Promise<void> {
    await this.#call('DELETE', `/tenant-rules/${encodeURIComponent(id)}`, undefined, options);
  }

  /** Closes the connections. */
  async close(): Promise<void> {
    await this.#transport.close();
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
    this.#path = `/tenants/${encodeURIComponent(name)}`;
  }

  /** Adds a script and returns its id. */
  async script(script: Script, options?: CallOptions): Promise<string> {
    const { id } = await this.#call<{ id: string }>('POST', `${this.#path}/scripts`, script, options);
    return id;
  }

  /** The scripts in the order in which they are tried. */
  async scripts(options?: CallOptions): Promise<ScriptState[]> {
    return (await this.#call<{ scripts: ScriptState[] }>('GET', `${this.#path}/scripts`, undefined, options))
      .scripts;
  }

  /** Replaces one script. The new script starts at its first reply. */
  async changeScript(id: string, script: Script, options?: CallOptions): Promise<void> {
    await this.#call('PUT', `${this.#path}/scripts/${encodeURIComponent(id)}`, script, options);
  }

  /** Removes one script, or all of them. */
  async unscript(id?: string, options?: CallOptions): Promise<void> {
    await this.#call('DELETE', `${this.#path}/scripts${segment(id)}`, undefined, options);
  }

  /** The reasons for a test to fail: unused replies, and requests without a script. */
  check(options?: CallOptions): Promise<CheckAnswer> {
    return this.#call('GET', `${this.#path}/check`, undefined, options);
  }

  /** Sets how unscripted requests and models are handled, and which variants apply. A reset restores the defaults. */
  async settings(given: SettingsGiven, options?: CallOptions): Promise<void> {
    await this.#call('PUT', `${this.#path}/settings`, given, options);
  }

  /** Sets a fault, or any reply, which wins over scripts and scenario; returns its id. */
  async addFault(rule: FaultRule, options?: CallOptions): Promise<string> {
    return (await this.#call<{ id: string }>('POST', `${this.#path}/faults`, rule, options)).id;
  }

  /** The active faults, in the order in which they were added. */
  async faults(options?: CallOptions): Promise<FaultRuleState[]> {
    return (await this.#call<{ faults: FaultRuleState[] }>('GET', `${this.#path}/faults`, undefined, options))
      .faults;
  }

  /** Removes one fault, or all of them. */
  async removeFault(id?: string, options?: CallOptions): Promise<void> {
    await this.#call('DELETE', `${this.#path}/faults${segment(id)}`, undefined, options);
  }

  /** Starts a scenario: a file of `fixtures/scenarios` by its name without `.yaml`, or one given inline. */
  play(choice: ScenarioChoice, options?: CallOptions): Promise<ScenarioState> {
    return this.#call('POST', `${this.#path}/scenario`, choice, options);
  }

  /** The state of the tenant's scenario. Rejected (404) if it has none. */
  scenario(options?: CallOptions): Promise<ScenarioState> {
    return this.#call('GET', `${this.#path}/scenario`, undefined, options);
  }

  /** Goes to the next phase, on every channel or on one. */
  step(channel?: string, options?: CallOptions): Promise<ScenarioState> {
    return this.#call('POST', `${this.#path}/scenario/step`, { channel }, options);
  }

  /** Ends the tenant's own scenario. */
  async stop(options?: CallOptions): Promise<void> {
    await this.#call('DELETE', `${this.#path}/scenario`, undefined, options);
  }

  /**
   * Opens the gates where requests wait (only that of one request, when given); returns how many. With a `reply`, those that
   * wait before their head are answered with it in place of what was scripted.
   */
  async release(
    request?: number,
    { reply, ...options }: CallOptions & { readonly reply?: Reply } = {},
  ): Promise<number> {
    const path = `${this.#path}/release`;
    return (await this.#call<{ released: number }>('POST', path, { request, reply }, options)).released;
  }

  /** Removes scripts, faults, scenario and journal, restarts the draws, and aborts every request in flight. */
  async reset(options?: CallOptions): Promise<void> {
    await this.#call('POST', `${this.#path}/reset`, undefined, options);
  }

  /** The jobs of its upstreams in order of submission. */
  async jobs(options?: CallOptions): Promise<JobState[]> {
    return (await this.#call<JobsAnswer>('GET', `${this.#path}/jobs`, undefined, options)).jobs;
  }

  /** Moves a job by hand and returns its new state. Rejected (409) once it has ended. */
  moveJob(id: string, move: JobMove, options?: CallOptions): Promise<JobState> {
    return this.#call('POST', `${this.#path}/jobs/${encodeURIComponent(id)}`, move, options);
  }

  /** Reads the journal. With `requests`, `waiting` or `ended`, it waits for that number of entries, at most `timeout_ms`. */
  journal(query: JournalQuery = {}, options?: CallOptions): Promise<JournalAnswer> {
    const given = Object.entries(query).filter(([, value]) => value !== undefined);
    const search = new URLSearchParams(given.map(([name, value]) => [name, String(value)]));
    return this.#call('GET', `${this.#path}/journal?${search}`, undefined, options);
  }
}

const segment = (id: string | undefined): string => (id === undefined ? '' : `/${encodeURIComponent(id)}`);

function overHttp(controlUrl: string, { token, ca }: ControlAccess): ControlTransport {
  const base = controlUrl.replace(/\/+$/, '');
  const headers = {
    'content-type': 'application/json',
    ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
  };
  // Loaded on first use. A caller in the same process needs no HTTP client.
  const open = async () => {
    const { Agent, request } = await import('undici');
    // No timeouts: the server limits long polls itself.
    const limits = { headersTimeout: 0, bodyTimeout: 0, maxResponseSize: maxAnswerBytes };
    return { agent: new Agent({ ...limits, ...(ca === undefined ? {} : { connect: { ca } }) }), request };
  };
  let opened: ReturnType<typeof open> | undefined;
  return {
    call: async (method, path, body, { signal }) => {
      opened ??= open();
      const { agent, request } = await opened;
      const sent = { dispatcher: agent, method, body, headers, ...(signal === undefined ? {} : { signal }) };
      const response = await request(`${base}${path}`, sent);
      return { status: response.statusCode, text: await response.body.text() };
    },
    close: async () => {
      const last = opened;
      opened = Promise.reject(new Error('the client of the control API is closed'));
      opened.catch(() => {});
      await last?.then(({ agent }) => agent.destroy()).catch(() => {});
    },
  };
}

async function call<T>(
  transport: ControlTransport,
  method: Method,
  path: string,
  body: unknown,
  options: CallOptions = {},
): Promise<T> {
  const sent = body === undefined ? null : JSON.stringify(body);
  const { status, text } = await transport.call(method, path, sent, options);
  const answer = parseJson(text);
  if (status === 200) return answer as T;
  throw refusalOf(status, answer, `${method} ${path}`);
}

function refusalOf(status: number, answer: unknown, what: string): ControlError {
  const { message, path } = (answer as { error?: { message?: unknown; path?: unknown } } | null)?.error ?? {};
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
