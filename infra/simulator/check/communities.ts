import { inBand, type Measurement, near } from './measurement.ts';
import type { AccountRow, TruthReader } from './reader.ts';
import { shareError } from './statistics.ts';

const POSTS = 20;

/** Mentions, yields and follows by community, on X. */
export const measureCommunities = (
  reader: TruthReader,
  accounts: readonly AccountRow[],
  members: number,
): Measurement[] => {
  const { communities: law } = reader.parameters;
  const all = reader.read('communities', []);
  const density = new Map<number, { readonly mentions: number; readonly posts: number }>();
  const yields: number[] = [];
  const on = accounts.filter((row) => row.platform === 'x' && row.posts >= POSTS);
  for (const { number } of all) {
    const chosen = on.filter((row) => row.community === number).slice(0, members);
    if (chosen.length < Math.min(20, members)) continue;
    const named = new Set<number>();
    let [mentions, posts] = [0, 0];
    for (const { index } of chosen)
      for (const post of reader.read('posts', ['x', index], { limit: POSTS })) {
        posts++;
        mentions += post.mentions.length;
        for (const other of post.mentions) named.add(other);
      }
    density.set(number, { mentions, posts });
    yields.push(named.size / chosen.length);
  }
  const living = all.flatMap(({ number, state }) => {
    const seen = density.get(number);
    return state === 'living' && seen !== undefined && seen.mentions > 0 ? [seen] : [];
  });
  const densities = living.map(({ mentions, posts }) => mentions / posts);
  // The sparsest are known by few mentions.
  const fewest = Math.min(...living.map(({ mentions }) => mentions));
  const found = yields.filter((one) => one > 0);

  let [mutual, pairs] = [0, 0];
  const follows = new Map(reader.read('follows', ['x']).map((row) => [row.index, new Set(row.follows)]));
  for (const [index, followed] of follows)
    for (const other of followed) {
      const back = follows.get(other)?.has(index) ?? false;
      // A mutual pair is met twice.
      pairs += back ? 0.5 : 1;
      if (back) mutual += 0.5;
    }
  const decades = Math.log10(Math.max(...densities) / Math.min(...densities));
  const share = (state: string) => all.filter((one) => one.state === state).length / all.length;
  return [
    near('decades of mentions a post between living communities', decades, law.decades, {
      tolerance: 0.3,
      error: 1 / Math.LN10 / Math.sqrt(fewest),
      n: densities.length,
    }),
    inBand(
      'decades of yields of pools',
      Math.log10(Math.max(...found) / Math.min(...found)),
      1.9,
      6,
      found.length,
    ),
    near('dead communities', share('dead'), law.dead, {
      tolerance: 0.5 / all.length + 1e-9,
      error: 0,
      n: all.length,
    }),
    near('exhausted communities', share('exhausted'), law.exhausted, {
      tolerance: 0.5 / all.length + 1e-9,
      error: 0,
      n: all.length,
    }),
    near('reciprocity of follows', mutual / pairs, law.reciprocity, {
      tolerance: 0.03,
      error: shareError(law.reciprocity, pairs),
      n: Math.round(pairs),
    }),
  ];
};
