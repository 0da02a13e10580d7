import { invalidRequest, type NativeError } from '../chat-completions/errors.ts';
import type { MemberFault } from '../media/native-members.ts';

const codes: Readonly<Record<MemberFault['why'], string>> = {
  unknown: 'unknown_parameter',
  missing: 'missing_required_parameter',
  'wrong-type': 'invalid_type',
  'wrong-value': 'invalid_value',
};

/** A 400 about the invalid member. */
export function memberError({ member, why, message }: MemberFault): NativeError {
  const sentence = `${message.charAt(0).toUpperCase()}${message.slice(1)}.`;
  return invalidRequest(sentence, member, codes[why]);
}
