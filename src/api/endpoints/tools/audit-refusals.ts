import type { FollowerSample } from '../../../crawlers/live-read/follower-sample.ts';
import { ServiceError } from '../../../kernel/errors.ts';
import type { AccountKey } from '../../../read/accounts.ts';
import type { AccountStatus } from '../../../write/accounts/account.ts';
import { insufficient, NoSuchAccountError } from '../../contract/answer-errors.ts';
import type { EndpointRequest } from '../../contract/endpoint.ts';
import type { Services } from '../../services.ts';

/** The platform shows no followers of an account, by its status. */
export class FollowersHiddenError extends ServiceError {
  readonly status: AccountStatus;

  constructor(status: AccountStatus) {
    super('insufficient_data', `The platform shows no followers: the account is ${status}.`, {
      details: [{ path: 'status', message: `is ${status}, needs active` }],
    });
    this.status = status;
  }
}

/** @throws {ServiceError} if an audit of the account was refused lately, and this one would be as well. */
export const checkAuditable = ({ services, nowMs }: Request, key: AccountKey, size: number): void => {
  const refusals = refusalsOf(services);
  for (const asked of [null, size]) refusals.check(questionOf(key, asked), nowMs);
};

/** @throws {ServiceError} for a sample that carries no audit; a refusal for what the account has is remembered. */
export const refuseUnauditable = (
  { services, nowMs }: Request,
  key: AccountKey,
  size: number,
  sample: FollowerSample,
): void => {
  const refusal = refusalOf(key, sample);
  if (refusal === null) return;
  for (const question of questionsOf(key, sample, size)) refusalsOf(services).note(question, refusal, nowMs);
  throw refusal;
};

/**
 * Refusals for too small a sample, of tools that read platforms. A refused call is refunded, so a repeated one would
 * read for nothing: for ten minutes it is refused again instead.
 */
export class RememberedRefusals {
  readonly #refusals = new Map<string, { readonly error: ServiceError; readonly untilMs: number }>();

  /** @throws {ServiceError} the refusal of the same question, if it is not ten minutes old. */
  check(question: string, nowMs: number): void {
    const known = this.#refusals.get(question);
    if (known === undefined) return;
    if (known.untilMs <= nowMs) {
      this.#refusals.delete(question);
      return;
    }
    const { code, message, details } = known.error;
    throw new ServiceError(code, message, { ...(details === undefined ? {} : { details }) });
  }

  /** Remembers an error if it is such a refusal. */
  note(question: string, error: unknown, nowMs: number): void {
    if (!(error instanceof ServiceError) || error.code !== 'insufficient_data') return;
    if (this.#refusals.size >= MOST) this.#refusals.delete(this.#refusals.keys().next().value as string);
    this.#refusals.set(question, { error, untilMs: nowMs + REMEMBERED_MS });
  }
}

const LEAST_FOLLOWERS = 50;

type Request = Pick<EndpointRequest<unknown, unknown, unknown>, 'services' | 'nowMs'>;

/** Why a sample carries no audit; null if it does. */
const refusalOf = (key: AccountKey, { status, followers, error }: FollowerSample): ServiceError | null => {
  if (followers.length >= LEAST_FOLLOWERS) return null;
  if (status === 'absent') return new NoSuchAccountError(key);
  if (error !== null) return error;
  if (status !== 'active') return new FollowersHiddenError(status);
  return insufficient('shown_followers', { had: followers.length, needs: LEAST_FOLLOWERS });
};

/** The key of a remembered refusal: an account, and the sample size if it matters. */
const questionOf = ({ platform, by, value }: AccountKey, size: number | null): string =>
  `${platform} ${by} ${value} ${size ?? ''}`;

/** The keys that a refusal answers: each name of the account, with any sample size if its list ended. */
const questionsOf = (
  key: AccountKey,
  { account: { reading }, status, isEnd }: FollowerSample,
  size: number,
): readonly string[] => {
  const { id, handle } = 'profile' in reading ? reading.profile : { id: null, handle: null };
  const names: readonly AccountKey[] = [
    key,
    ...(id === null ? [] : [{ ...key, by: 'id' as const, value: id }]),
    ...(handle === null ? [] : [{ ...key, by: 'handle' as const, value: handle }]),
  ];
  const isOfAnySize = isEnd || status !== 'active';
  return names.map((name) => questionOf(name, isOfAnySize ? null : size));
};

const REMEMBERED_MS = 10 * 60_000;
/** Refusals that are remembered at most; the oldest are forgotten first. */
const MOST = 10_000;

/** By what all callers' services share. */
const ofProcess = new WeakMap<Services['builds'], RememberedRefusals>();

/** The refusals of this process. */
const refusalsOf = ({ builds }: Pick<Services, 'builds'>): RememberedRefusals => {
  const known = ofProcess.get(builds) ?? new RememberedRefusals();
  ofProcess.set(builds, known);
  return known;
};
