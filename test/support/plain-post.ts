import { type Post, UNTAGGED } from '../../src/write/accounts/post.ts';

/** An original post of which only the text is known. */
export const plainPost = (text: string, more: Partial<Post> = {}): Post => ({
  id: text,
  url: null,
  at: null,
  kind: 'original',
  media: null,
  text,
  ...UNTAGGED,
  likes: null,
  replies: null,
  reposts: null,
  quotes: null,
  views: null,
  ...more,
});
