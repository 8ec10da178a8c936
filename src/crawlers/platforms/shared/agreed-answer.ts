import type { HttpRequest } from '../../http/port.ts';
import { uncached } from './read-surfaces.ts';

/** Answers that have to agree before one counts that names nothing of what was asked for: it may be about something else. */
export const AGREEING = 3;

interface Said {
  readonly status: string;
}

/** How a call for a list or a post is made, and understood. */
export interface AgreedCall<Answer extends Said> {
  readonly request: HttpRequest;
  /** Never throws for a platform's behaviour. */
  ask(request: HttpRequest): Promise<Answer>;
  /** Whether an answer proves something, and names no account. */
  isVerdict(answer: Answer): boolean;
  /** The answer in place of two that contradict each other. */
  unconfirmed(first: Answer, other: Answer): Answer;
}

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
