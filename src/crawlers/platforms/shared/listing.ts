import { FetchError, type Http, type HttpRequest, type Page } from '../../http/port.ts';
import type { ListingReading, UnknownReason } from '../adapter.ts';
import { type Json, parseJson } from './json-access.ts';
import { REASON_OF, uncached } from './read-surfaces.ts';
import { otherStatus, type Parsed, statusReason } from './reading-outcomes.ts';
import { isAnswerTo } from './surface.ts';

/**
 * Fetches and parses a listing. It is never taken from a cache, since what it lacks matters as well. Never throws
 * for a platform's behaviour.
 */
export const readListing = async <Listed>(
  http: Http,
  request: HttpRequest,
  { refusal, isAnswer, parse }: ListingGrammar<Listed>,
): Promise<ListingReading<Listed>> => {
  let page: Page;
  try {
    page = await http.fetch(uncached(request));
  } catch (error) {
    if (!(error instanceof FetchError)) throw error;
    return unknown(REASON_OF[error.reason], error.message, error.retryAfterMs);
  }
  if (!isAnswerTo(request, page)) return unknown('other_address', 'The answer came from another address');
  const reply = parseJson(page.body);
  const isError = isAnswer?.(reply) !== true;
  const refused = statusReason(page) ?? refusal(reply, page) ?? (isError ? otherStatus(page) : null);
  if (refused?.status === 'unknown') return unknown(refused.reason, refused.detail, refused.retryAfterMs);
  const listed = parse(reply);
  return listed === null
    ? unknown('layout_changed', 'The reply has no such list')
    : { status: 'present', ...listed };
};

const unknown = <Listed>(
  reason: UnknownReason,
  detail: string,
  retryAfterMs?: number | null,
): ListingReading<Listed> => ({
  status: 'unknown',
  reason,
  detail: detail.slice(0, 300),
  ...(retryAfterMs == null ? {} : { retryAfterMs }),
});

/** How a listing in JSON is understood. */
interface ListingGrammar<Listed> {
  /** The outcome of an answer that says why it has no listing; null if it has one. */
  refusal(reply: Json, page: Page): Parsed | null;
  /** Whether a reply says something although its status is that of an error; by default none does. */
  isAnswer?(reply: Json): boolean;
  /** Null if the answer has no such listing. */
  parse(reply: Json): Listed | null;
}
