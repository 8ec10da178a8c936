import type { Random } from '../kernel/random.ts';
import type { Http } from './http/port.ts';
import type { PlatformAdapter } from './platforms/adapter.ts';

/** What is wrong with an engine's eyes; null where they see. */
export type ProbeFinding = {
  readonly reason: 'blind' | 'false_absence' | 'false_presence';
  readonly detail: string;
};

const LETTERS = 'bcdfghjklmnpqrstvwxz';

/** A name that nobody has: fourteen consonants. */
const nobody = (random: Random): string =>
  Array.from({ length: 14 }, () => LETTERS[random.int(LETTERS.length)]).join('');

/**
 * Reads a name that is known to exist and one that is not. What the platform does not let us see proves nothing;
 * a known account that is said to be absent, or a random name that is said to be there, proves that the surface no
 * longer means what we take it for.
 * @param names handles that are known to exist; none where that is not known of any.
 */
export const probe = async (
  adapter: PlatformAdapter,
  http: Http,
  random: Random,
  names: readonly string[],
): Promise<ProbeFinding | null> => {
  const blind = names.length === 0 ? null : await lookAtKnown(adapter, http, random, names);
  if (blind !== null) return blind;
  const name = nobody(random);
  const stranger = adapter.parseHandle(name) ?? `${name}.bsky.social`;
  const missing = await adapter.read({ kind: 'handle', handle: stranger }, { http, posts: false });
  if (missing.status === 'present')
    return { reason: 'false_presence', detail: `${stranger} is said to be there` };
  return null;
};

const lookAtKnown = async (
  adapter: PlatformAdapter,
  http: Http,
  random: Random,
  names: readonly string[],
): Promise<ProbeFinding | null> => {
  const name = names[random.int(names.length)] ?? '';
  const handle = adapter.parseHandle(name) ?? name;
  const there = await adapter.read({ kind: 'handle', handle }, { http, posts: false });
  if (there.status === 'absent') {
    // Known accounts do vanish: two of them in a row do not, unless there is only one.
    const second = names.find((other) => other !== name);
    const again =
      second === undefined
        ? there
        : await adapter.read({ kind: 'handle', handle: second }, { http, posts: false });
    if (again.status === 'absent') return { reason: 'false_absence', detail: `${name} is said to be absent` };
  }
  if (there.status === 'unknown' && there.reason === 'layout_changed') {
    return { reason: 'blind', detail: `the page of ${name} does not parse: ${there.detail}` };
  }
  return null;
};
