/** Which events of a stream are about an erased account: a stream has the events of all who had its name. */

import { platformOf } from '../stream-platform.ts';
import { isErasedProfile, type Named } from './cleanse.ts';
import { VOIDING } from './subject.ts';

interface StreamEvent {
  readonly type: string;
  readonly data: unknown;
}

/** Whose an event is: the erased account's, another's, or nobody's yet. */
export type Whose = 'erased' | 'other' | 'nobody';

/** The profile of an event; null if it shows none, or did before it was erased. */
const profileIn = ({ type, data }: StreamEvent) =>
  type === 'AccountSighted'
    ? ((data as { readonly profile?: { readonly id: string | null; readonly handle: string } }).profile ??
      null)
    : null;

/**
 * Whose an event of an account's stream is, by whose the one before it was. A profile decides, and all that follows it until the next one
 * is of its account. One without an ID is of whoever had the name, of an erased account if nobody had.
 */
export const whoseNext = (fence: Named, before: Whose, stream: string, event: StreamEvent): Whose => {
  const profile = profileIn(event);
  const platform = platformOf(stream);
  if (profile === null || platform == null) return before;
  if (profile.id === null && before !== 'nobody') return before;
  return isErasedProfile(fence, platform, profile) ? 'erased' : 'other';
};

export interface Tenure {
  readonly stream: string;
  /** The first and the last revision that are about the account; -1 if none is. */
  readonly from: number;
  readonly through: number;
  /** When another account was seen to have the name afterwards; null if none was. */
  readonly since: string | null;
}

/** The parts of an account's stream that are an erased account's, which may have had the name more than once. */
export const tenuresIn = (
  fence: Named,
  stream: string,
  events: readonly (StreamEvent & { readonly revision: bigint })[],
): readonly Tenure[] => {
  const tenures: Tenure[] = [];
  let whose: Whose = 'nobody';
  for (const event of events) {
    // It says what is void, and is not.
    if (VOIDING.has(event.type)) continue;
    const before = whose;
    whose = whoseNext(fence, whose, stream, event);
    const revision = Number(event.revision);
    const last = tenures.at(-1);
    if (whose === 'erased') {
      const isSame = before === 'erased' && last !== undefined;
      if (isSame) tenures[tenures.length - 1] = { ...last, through: revision };
      else tenures.push({ stream, from: revision, through: revision, since: null });
    } else if (whose === 'other' && before === 'erased' && last !== undefined) {
      tenures[tenures.length - 1] = {
        ...last,
        since: (event.data as { readonly observed_at: string }).observed_at,
      };
    }
  }
  return tenures;
};
