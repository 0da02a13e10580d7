/** Options of every call: aborting the signal cancels the call, also a long poll. */
export interface CallOptions {
  readonly signal?: AbortSignal;
}

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** Calls the control API. @throws ControlError when it rejects the call */
export type Call = <T>(method: Method, path: string, body?: unknown, options?: CallOptions) => Promise<T>;

/** How a control API beyond this machine is reached. */
export interface ControlAccess {
  /** The required bearer token. */
  readonly token?: string;
  /** The trusted certificates, PEM. */
  readonly ca?: string;
}

/** The transport of calls to the control API. */
export interface ControlTransport {
  call(method: Method, path: string, body: string | null, options: CallOptions): Promise<ControlReply>;
  close(): Promise<void>;
}

export interface ControlReply {
  readonly status: number;
  readonly text: string;
}
