import type { Random } from '../../src/kernel/random.ts';
import type { AccountEvent } from '../../src/write/accounts/account.ts';
import { FIGURES, type MovedPost, type Post, UNTAGGED } from '../../src/write/accounts/post.ts';
import { posted, sighted, unavailable, unchanged } from './program.ts';

const START = Date.UTC(2026, 0, 1);
const HOUR = 3_600_000;

const isoAt = (hour: number): string => new Date(START + hour * HOUR).toISOString();

/** Identifiers as platforms assign them: snowflakes, short codes, message numbers of a channel. */
const idOf = (n: number): string =>
  n % 3 === 0 ? String(1_990_000_000_000_000_000n + BigInt(n)) : n % 3 === 1 ? `Dfo0A_${n}-Q` : String(n);

/** A post as one surface shows it: some hide its time, its text, its tags or some figures. */
const drawnPost = (random: Random, n: number, hour: number): Post => {
  const hides = (share: number) => random.next() < share;
  const figure = () => (hides(0.3) ? null : random.int(10 ** random.int(9)));
  const isTagged = random.next() < 0.5;
  return {
    id: idOf(n),
    url: hides(0.2) ? null : `https://social.example/${n}`,
    at: hides(0.05) ? null : isoAt(hour),
    kind: (['original', 'reply', 'repost', 'quote'] as const)[random.int(4)] as Post['kind'],
    media: hides(0.3) ? null : 'photo',
    text: hides(0.2) ? null : `Post ${n} 🎉 ${random.next() < 0.05 ? 'edited' : ''}`,
    ...UNTAGGED,
    ...(isTagged ? { hashtags: ['a', `tag${n}`], links: random.int(3), mentions: [], lang: 'en' } : {}),
    likes: figure(),
    replies: figure(),
    reposts: figure(),
    quotes: figure(),
    views: figure(),
  };
};

const drawnMoved = (random: Random, n: number): MovedPost => ({
  id: idOf(n),
  [FIGURES[random.int(FIGURES.length)] as string]: random.int(100_000),
});

/**
 * Readings of one account. It publishes some posts an hour; readings show a page of the newest, or page back into
 * older ones, and now and then the handle is lost, or has another owner.
 * @param pace maximum posts between two readings.
 */
export function* postHistory(random: Random, readings: number, pace = 8): Generator<AccountEvent> {
  let published = 0;
  let owner = 100;
  for (let reading = 0; reading < readings; reading++) {
    const hour = reading * 30;
    published += random.int(pace);
    const kind = random.next();
    const at = isoAt(hour + 1);
    if (kind < 0.04) yield unavailable(at, random.next() < 0.5 ? 'absent' : 'suspended');
    else if (kind < 0.12) {
      if (random.next() < 0.05) owner += 1;
      yield sighted('generated', at, {
        id: random.next() < 0.2 ? null : String(owner),
        followers: random.int(9_000),
      });
    } else if (kind < 0.3) yield unchanged(at, { followers: 1_000 + random.int(60) });
    const back = random.next() < 0.1 ? random.int(300) : 0;
    const shown = Array.from({ length: 1 + random.int(20) }, (_, i) => published - back - i).filter(
      (n) => n > 0,
    );
    const isWhole = (n: number) => n > published - pace || random.next() < 0.2;
    const posts = shown.filter(isWhole).map((n) => drawnPost(random, n, hour - (published - n)));
    const moved = shown.filter((n) => !isWhole(n)).map((n) => drawnMoved(random, n));
    const event = posted(at, ...posts);
    if (event.type === 'PostsSighted' && posts.length + moved.length > 0) {
      const span = random.next() < 0.3 ? { from: isoAt(Math.max(0, hour - 24)), to: at } : null;
      yield {
        ...event,
        data: { ...event.data, moved, order: random.next() < 0.5 ? 'time' : 'unknown', span },
      };
    }
  }
}
