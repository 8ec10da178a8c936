import { ServiceError } from '../../../kernel/errors.ts';
import type { Services } from '../../services.ts';

const REMEMBERED_MS = 10 * 60_000;
/** Refusals that are remembered at most; the oldest are forgotten first. */
const MOST = 10_000;

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

const ofServices = new WeakMap<Services, RememberedRefusals>();

/** The refusals of this process. */
export const refusalsOf = (services: Services): RememberedRefusals => {
  const known = ofServices.get(services) ?? new RememberedRefusals();
  ofServices.set(services, known);
  return known;
};
