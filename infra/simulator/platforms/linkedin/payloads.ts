import { isoOf } from '../../../../src/kernel/clock.ts';
import type { Account, SimPost } from '../../world/account.ts';
import { uploadDigits } from '../pictures.ts';
import { bundle, styles } from '../response.ts';

export const avatarOf = (account: Account): string =>
  `https://media.licdn.com/dms/image/v2/${account.avatar}/profile-displayphoto-shrink_800_800/0/${uploadDigits(account, 13)}?e=1790812800&v=beta`;

export const HEAD: Buffer = Buffer.concat([
  Buffer.from(
    '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="UTF-8">\n<meta name="pageKey" content="public_profile_v3_mobile">\n',
  ),
  styles(9_000, 71),
]);
export const TAIL: Buffer = Buffer.concat([bundle(70_000, 72), Buffer.from('</body>\n</html>\n')]);

export const discussion = (account: Account, post: SimPost) => ({
  '@type': 'DiscussionForumPosting',
  '@id': `https://www.linkedin.com/posts/${account.shown}_activity-${7_000_000_000_000_000_000n + BigInt(post.at) * 1000n}`,
  url: `https://www.linkedin.com/posts/${account.shown}_activity-${7_000_000_000_000_000_000n + BigInt(post.at) * 1000n}`,
  datePublished: isoOf(post.at),
  text: post.text,
  author: { '@type': account.kind === 'company' ? 'Organization' : 'Person', name: account.displayName },
  interactionStatistic: [
    {
      '@type': 'InteractionCounter',
      interactionType: 'http://schema.org/LikeAction',
      userInteractionCount: post.likes,
    },
    {
      '@type': 'InteractionCounter',
      interactionType: 'http://schema.org/CommentAction',
      userInteractionCount: post.replies,
    },
  ],
});
