import type { Platform } from '../simulated-platforms.ts';

export const DAY = 86_400_000;

export type Status = 'active' | 'private' | 'suspended' | 'deactivated' | 'absent';
export type Kind = 'person' | 'channel' | 'group' | 'bot' | 'company';
/** Permanent special treatment of an account by its platform. */
export type Quirk =
  /** Instagram shows it to members only. */
  | 'gated'
  /** YouTube requires an age check. */
  | 'age_gate'
  /** YouTube hides the subscriber count. */
  | 'hidden_count'
  /** TikTok: not in this region. */
  | 'region'
  /** Bluesky: the owner opted out of logged-out display. */
  | 'opted_out'
  /** Telegram: no public feed. */
  | 'no_feed'
  /** LinkedIn: redirected to a country's host. */
  | 'country_host';

/** State of an account at a time. */
export interface Account {
  readonly platform: Platform;
  readonly index: number;
  /** 32 bits from which every other trait is derived. */
  readonly key: number;
  readonly kind: Kind;
  readonly status: Status;
  readonly quirks: ReadonlySet<Quirk>;
  readonly id: string;
  /** What IDs of its posts are drawn from; 0 but on X. */
  readonly author: number;
  /** Lower case; `company:<slug>` for a company. */
  readonly handle: string;
  /** As the platform displays it. */
  readonly shown: string;
  readonly previousHandles: readonly string[];
  readonly displayName: string;
  readonly followers: number;
  readonly following: number;
  readonly posts: number;
  /** Likes received, if the platform counts them. */
  readonly hearts: number;
  readonly verified: boolean;
  /** Milliseconds, whole seconds. */
  readonly createdAt: number;
  readonly bio: string;
  readonly location: string;
  readonly language: string;
  readonly links: readonly string[];
  /** Accounts of the same platform named in the bio. */
  readonly mentions: readonly number[];
  /** Token of the picture: equal pictures have equal ones, crops of one picture begin alike. */
  readonly avatar: string;
  /** Whether the picture is the owner’s and not the platform’s default. */
  readonly hasAvatar: boolean;
}

/** A post of an account of the same platform. */
export interface PostRef {
  readonly index: number;
  readonly n: number;
}

export interface SimPost {
  /** Number of the post in its account, from 0. */
  readonly n: number;
  readonly at: number;
  readonly key: number;
  readonly kind: 'original' | 'reply' | 'repost' | 'quote';
  readonly media: 'none' | 'photo' | 'video';
  readonly text: string;
  /** Accounts of the same platform named in the text. */
  readonly mentions: readonly number[];
  /** BCP 47 language of the text. */
  readonly lang: string;
  /** As displayed, without `#`. */
  readonly hashtags: readonly string[];
  /** Absolute URLs in the text. */
  readonly links: readonly string[];
  readonly replyTo: PostRef | null;
  /** What a repost or quote cites. */
  readonly target: PostRef | null;
  readonly pinned: boolean;
  /** The platform shows no likes of this post (Instagram). */
  readonly likesHidden: boolean;
  readonly likes: number;
  readonly replies: number;
  readonly reposts: number;
  readonly quotes: number;
  readonly views: number;
}
