import type { Finding } from '../rules/violation.ts';
import { placeOf } from './place-of.ts';

/** Whether two findings are about the same aspect of the same rule. */
export function isAlike(one: Finding, other: Finding): boolean {
  return one.requirement === other.requirement && one.aspect === other.aspect;
}

/** Whether they are the same also where one aspect compares a whole request, member by member. */
export function isSameMember(one: Finding, other: Finding): boolean {
  return isSameFinding(one, other) && one.member === other.member;
}

/** Whether they are also about the same way in and family of models; elsewhere it may be another defect. */
export function isSameFinding(one: Finding, other: Finding): boolean {
  return isAlike(one, other) && placeOf(one.exchange) === placeOf(other.exchange);
}
