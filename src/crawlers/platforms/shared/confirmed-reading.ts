import type { Http, HttpRequest, Page } from '../../http/port.ts';
import type { Address, PlatformAdapter, Reading, ReadOptions, UnknownReason } from '../adapter.ts';
import { AGREEING } from './agreed-answer.ts';
import { FalseAnswers } from './false-answers.ts';
import { failureOf, readStep, type Step, stepsOf, uncached, withWarnings } from './read-surfaces.ts';

type Conclusive = Exclude<Reading, { readonly status: 'unknown' }>;

/** An account that was seen to exist is rarely gone, and a false absence ends its figures. */
const AGREEING_IF_SEEN = 7;
/** Answers after which a verdict stays unconfirmed, if the platform is so unreliable that more would be needed. */
const MAX_SAYING = 16;

interface Needed {
  /** Answers that have to agree. */
  readonly agreeing: number;
  /** Answers among them that have to say the same, and do not only show nothing. */
  readonly saying: number;
}

/** Answers that a surface in order does not give: what else it says is not relied on. */
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

const agrees = (claim: Conclusive, other: Reading): boolean =>
  other.status === 'unknown' ? other.silent === true && claim.status !== 'present' : isSame(claim, other);

/** Whether an answer that names the account says something else. Not every surface shows privacy. */
const refutes = (claim: Conclusive, other: Reading): boolean => {
  if (other.status === 'unknown' || other.unnamed === true || other.status === claim.status) return false;
  const showsPrivacy = other.status !== 'present' || other.measured.includes('private');
  return claim.status !== 'private' || showsPrivacy;
};

/** Whether an answer throws doubt on a claim, without deciding: it says something else and names no account, or is odd. */
const contradicts = (claim: Conclusive, other: Reading): boolean =>
  other.status === 'unknown'
    ? ODD.has(other.reason)
    : other.unnamed === true && !isSame(claim, other) && claim.status !== 'present';

const withoutMark = ({ unnamed: _, ...reading }: Conclusive): Reading => reading;

/** Collects answers until enough of them agree with a claim, or one decides otherwise. */
class Confirmation {
  readonly #claim: Conclusive;
  readonly #needed: Needed;
  #agreeing = 0;
  /** Of those, answers that say the same in so many words. */
  #saying = 0;
  #overturnedBy: 'named' | 'unnamed' | null = null;
  /** The surfaces that agreed, or were not asked yet. */
  readonly #open: Step[];

  constructor(claim: Conclusive, needed: Needed, steps: readonly Step[]) {
    this.#claim = claim;
    this.#needed = needed;
    this.#open = [...steps];
  }

  /** Notes the answers that agreed, if another one says something else of the account. */
  note(falseAnswers: FalseAnswers): void {
    if (this.#overturnedBy === null) return;
    const surface = this.#overturnedBy === 'named' ? this.#claim.surface : null;
    falseAnswers.addFalse(this.#saying, surface);
  }

  /** Adds an answer. @returns the outcome, if it decides. */
  add(step: Step, other: Reading): Reading | null {
    const claim = this.#claim;
    if (other.status !== 'unknown' && !agrees(claim, other))
      this.#overturnedBy = other.unnamed === true ? 'unnamed' : 'named';
    if (refutes(claim, other)) return withWarnings(other, [failureOf(claim)]);
    this.#open.splice(this.#open.indexOf(step), 1);
    if (agrees(claim, other)) {
      // Behind those that were asked less often. Silence counts once: it has several reasons, and can't tell which.
      this.#agreeing += 1;
      if (other.status !== 'unknown') {
        this.#open.push(step);
        this.#saying += 1;
      }
      const { agreeing, saying } = this.#needed;
      if (this.#agreeing >= agreeing && this.#saying >= saying) return withoutMark(claim);
      return this.#saying >= MAX_SAYING ? this.#unconfirmed(null) : null;
    }
    if (contradicts(claim, other)) return this.#unconfirmed(other);
    return this.#open.length === 0 ? this.#unconfirmed(other) : null;
  }

  /** An answer from before the claim: only what agrees with it counts. */
  recall(step: Step, other: Reading): Reading | null {
    if (agrees(this.#claim, other) || refutes(this.#claim, other)) return this.add(step, other);
    this.#open.splice(this.#open.indexOf(step), 1);
    return null;
  }

  /** Asks until there is an outcome. */
  async ask(http: Http, address: Address): Promise<Reading> {
    for (;;) {
      const [step] = this.#open;
      if (step === undefined) return this.#unconfirmed(null);
      const other = await readStep(http, { ...step, request: uncached(step.request) }, address);
      const decided = this.add(step, other);
      if (decided !== null) return decided;
    }
  }

  #unconfirmed(other: Reading | null): Reading {
    const { surface, status, warnings } = this.#claim;
    const { agreeing, saying } = this.#needed;
    const wait = other?.status === 'unknown' ? other.retryAfterMs : undefined;
    return {
      status: 'unknown',
      reason: 'unconfirmed',
      detail: `${surface} says ${status} and names no account, which ${this.#saying} of ${Math.max(agreeing, saying)} answers confirm`,
      surface,
      warnings: other === null ? warnings : [...warnings, failureOf(other)],
      ...(wait === undefined ? {} : { retryAfterMs: wait }),
    };
  }
}

/** Keeps the responses of a reading, so that what was answered is not requested again. */
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

/** Asks for further answers, after those of the reading, until they decide. */
const confirmed = async (
  confirmation: Confirmation,
  steps: readonly Step[],
  answerTo: (step: Step) => Page | undefined,
  http: Http,
  address: Address,
): Promise<Reading> => {
  for (const step of steps) {
    const page = answerTo(step);
    const decided = page === undefined ? null : confirmation.recall(step, step.surface.parse(page, address));
    if (decided !== null) return decided;
  }
  return confirmation.ask(http, address);
};

/**
 * An adapter whose verdicts count only if their answer names the account, or enough independent answers agree: other
 * surfaces first, then the same ones past all caches. One that names the account decides at once. How many are enough
 * depends on how often the surface was found to say what is false.
 */
export const withConfirmation = (adapter: PlatformAdapter): PlatformAdapter => {
  const falseAnswers = new FalseAnswers();
  return {
    ...adapter,
    read: async (address: Address, options: ReadOptions): Promise<Reading> => {
      const { seam, answerTo } = keeping(options.http);
      const claim = await adapter.read(address, { ...options, http: seam });
      if (claim.status === 'unknown') return claim;
      const steps = stepsOf(adapter.surfaces, address);
      if (claim.unnamed !== true) {
        if (claim.status === 'present' || claim.status === 'private') falseAnswers.addTrue();
        return claim;
      }
      const known = (await options.known?.()) ?? null;
      // No news: the verdict that was confirmed before is repeated.
      if (known === claim.status) return withoutMark(claim);
      const least = known === 'seen' ? AGREEING_IF_SEEN : AGREEING;
      const needed = { agreeing: least, saying: falseAnswers.needed(claim.surface) };
      const confirmation = new Confirmation(claim, needed, steps);
      const outcome = await confirmed(confirmation, steps, answerTo, options.http, address);
      confirmation.note(falseAnswers);
      return outcome;
    },
  };
};
