import type { Http, HttpRequest, Page } from '../../http/port.ts';
import type {
  Address,
  KnownStatus,
  PlatformAdapter,
  Reading,
  ReadOptions,
  UnknownReason,
} from '../adapter.ts';
import {
  failureOf,
  isStatement,
  readStep,
  type Step,
  showsNoProfile,
  stepsOf,
  uncached,
  withWarnings,
} from './read-surfaces.ts';

/**
 * An adapter whose verdicts count only if their answer names the account, or three answers agree, four on an account that
 * was seen: other surfaces first, then the same ones past all caches. One that names the account decides at once. Nothing
 * that was read of other accounts counts.
 * Decision: `docs/adr/0013-verdicts.md`.
 */
export const withConfirmation = (adapter: PlatformAdapter): PlatformAdapter => ({
  ...adapter,
  read: async (address: Address, options: ReadOptions): Promise<Reading> => {
    const { seam, answerTo } = keeping(options.http);
    const answer = await adapter.read(address, { ...options, http: seam });
    const isAmbiguous = answer.status === 'unknown' && answer.reason === 'ambiguous';
    if (!isAmbiguous && (answer.status === 'unknown' || answer.unnamed !== true)) return answer;
    const known = (await options.known?.()) ?? null;
    const read = withKnown(known);
    const claim = read(answer);
    // A verdict that is known already needs no confirmation.
    if (claim.status === 'unknown') return claim;
    if (known === claim.status) return withoutMark(claim);
    const steps = stepsOf(adapter.surfaces, address);
    const confirmation = new Confirmation(claim, known === 'seen' ? AGREEING_IF_SEEN : AGREEING, steps);
    for (const step of steps) {
      const page = answerTo(step);
      const decided =
        page === undefined ? null : confirmation.add(step, read(step.surface.parse(page, address)), false);
      if (decided !== null) return decided;
    }
    return confirmation.ask(options.http, address, read);
  },
});

/** The answer to a call. A verdict is repeated past all caches until enough answers agree; any other answer counts. */
export const agreedAnswer = async <Answer extends Said>({
  request,
  ask,
  isVerdict,
  unconfirmed,
}: AgreedCall<Answer>): Promise<Answer> => {
  const first = await ask(request);
  if (!isVerdict(first)) return first;
  for (let agreeing = 1; agreeing < AGREEING; agreeing++) {
    const other = await ask(uncached(request));
    if (!isVerdict(other)) return other;
    if (other.status !== first.status) return unconfirmed(first, other);
  }
  return first;
};

/**
 * How many answers must agree before one counts that does not name the requested account, since it may be about
 * another.
 */
const AGREEING = 3;

/** How a call for a list or a post is made, and understood. */
interface AgreedCall<Answer extends Said> {
  readonly request: HttpRequest;
  /** Never throws for a platform's behaviour. */
  ask(request: HttpRequest): Promise<Answer>;
  /** Whether an answer proves something, and names no account. */
  isVerdict(answer: Answer): boolean;
  /** The answer in place of two that contradict each other. */
  unconfirmed(first: Answer, other: Answer): Answer;
}

type Conclusive = Exclude<Reading, { readonly status: 'unknown' }>;

/** An account that was seen to exist is rarely gone, and a false absence ends its figures. */
const AGREEING_IF_SEEN = AGREEING + 1;

/** Answers that a working surface does not give; after one of them its other answers are not relied on. */
const ODD: ReadonlySet<UnknownReason> = new Set(['layout_changed', 'other_address']);

/** Responses that are kept of one reading. */
const MAX_KEPT = 8;

const keyOf = ({ method = 'GET', url, body = '' }: HttpRequest): string => `${method} ${url}\n${body}`;

const isSame = (claim: Conclusive, other: Conclusive): boolean => {
  if (claim.status !== other.status) return false;
  if (claim.status !== 'present' || other.status !== 'present') return true;
  const [a, b] = [claim.profile, other.profile];
  return a.id === b.id && (a.id !== null || a.display_name === b.display_name);
};

const withoutMark = ({ unnamed: _, ...reading }: Conclusive): Reading => reading;

/** How another answer affects a claim. */
type Bearing = 'agrees' | 'silent' | 'decides' | 'contradicts' | 'irrelevant';

const bearingOf = (claim: Conclusive, other: Reading): Bearing => {
  if (other.status === 'unknown') {
    if (other.silent === true && claim.status !== 'present') return 'silent';
    return ODD.has(other.reason) ? 'contradicts' : 'irrelevant';
  }
  if (isSame(claim, other)) return 'agrees';
  // An explicit statement outranks an answer without a profile.
  if (isStatement(claim) && showsNoProfile(other)) return 'irrelevant';
  // Not every surface shows privacy.
  const hidesPrivacy = other.status === 'present' && !other.measured.includes('private');
  if (claim.status === 'private' && hidesPrivacy) return 'irrelevant';
  return other.unnamed === true || showsNoProfile(other) ? 'contradicts' : 'decides';
};

/** Collects answers until enough of them agree with a claim, or one decides otherwise. */
class Confirmation {
  readonly #claim: Conclusive;
  readonly #needed: number;
  #agreeing = 0;
  /** A surface that shows nothing has several reasons, and can't tell which: all of them count once. */
  #silent = 0;
  /** The surfaces to ask, least often asked first. */
  readonly #open: Step[];

  constructor(claim: Conclusive, needed: number, steps: readonly Step[]) {
    this.#claim = claim;
    this.#needed = needed;
    this.#open = [...steps];
  }

  /**
   * Adds an answer.
   * @param isRecent whether it was asked for after the claim: only then it throws doubt on it.
   * @returns the outcome, if it decides.
   */
  add(step: Step, other: Reading, isRecent: boolean): Reading | null {
    const claim = this.#claim;
    this.#open.splice(this.#open.indexOf(step), 1);
    const bearing = bearingOf(claim, other);
    if (bearing === 'decides') return withWarnings(other, [failureOf(claim)]);
    if (bearing === 'contradicts') return isRecent ? this.#unconfirmed(other) : null;
    if (bearing === 'irrelevant')
      return isRecent && this.#open.length === 0 ? this.#unconfirmed(other) : null;
    if (bearing === 'silent') this.#silent = 1;
    else {
      this.#agreeing += 1;
      this.#open.push(step);
    }
    return this.#agreeing + this.#silent >= this.#needed ? withoutMark(claim) : null;
  }

  /** Asks until there is an outcome. */
  async ask(http: Http, address: Address, read: (answer: Reading) => Reading): Promise<Reading> {
    for (;;) {
      const [step] = this.#open;
      if (step === undefined) return this.#unconfirmed(null);
      const answer = await readStep(http, { ...step, request: uncached(step.request) }, address);
      const decided = this.add(step, read(answer), true);
      if (decided !== null) return decided;
    }
  }

  #unconfirmed(other: Reading | null): Reading {
    const { surface, status, warnings } = this.#claim;
    const wait = other?.status === 'unknown' ? other.retryAfterMs : undefined;
    return {
      status: 'unknown',
      reason: 'unconfirmed',
      detail: `${surface} says ${status} and names no account, which ${this.#agreeing + this.#silent} of ${this.#needed} answers confirm`,
      surface,
      warnings: other === null ? warnings : [...warnings, failureOf(other)],
      ...(wait === undefined ? {} : { retryAfterMs: wait }),
    };
  }
}

/** Keeps the responses of a reading, so that no request is repeated. */
const keeping = (http: Http) => {
  const kept = new Map<string, Page>();
  const seam: Http = {
    fetch: async (request) => {
      const page = await http.fetch(request);
      if (request.render === undefined && kept.size < MAX_KEPT) kept.set(keyOf(request), page);
      return page;
    },
    close: () => http.close(),
  };
  return { seam, answerTo: ({ request }: Step) => kept.get(keyOf(request)) };
};

/** An answer that suspended accounts and unused names get alike means suspension of an account that was there. */
const withKnown =
  (known: KnownStatus | null) =>
  (answer: Reading): Reading =>
    answer.status === 'unknown' &&
    answer.reason === 'ambiguous' &&
    (known === 'seen' || known === 'suspended')
      ? { status: 'suspended', unnamed: true, surface: answer.surface, warnings: answer.warnings }
      : answer;

interface Said {
  readonly status: string;
}
