/** Tracing is configured but impossible. The message is for the operator. */
export class TracingUnavailable extends Error {
  override readonly name = 'TracingUnavailable';
}
