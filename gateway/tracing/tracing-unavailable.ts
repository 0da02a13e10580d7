/** Traces that are asked for and cannot be sent. Its message is for the operator. */
export class TracingUnavailable extends Error {
  override readonly name = 'TracingUnavailable';
}
