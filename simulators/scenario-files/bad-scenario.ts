/** A scenario that cannot be used; the message has one line a fault, each with file, line, column and path. */
export class BadScenario extends Error {
  override readonly name = 'BadScenario';
}
