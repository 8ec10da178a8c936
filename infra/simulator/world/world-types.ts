import type { Clock } from '../../../src/kernel/clock.ts';
import type { Platform } from '../simulated-platforms.ts';
import type { Account, PostRef, SimPost } from './account.ts';
import type { Audience } from './audience.ts';
import type { Ban } from './bans.ts';
import type { Communities } from './communities.ts';
import type { Evidence } from './evidence.ts';
import type { FollowList } from './follow-list.ts';
import type { Growth } from './growth.ts';
import type { Lifecycle } from './lifecycle.ts';
import type { CompanyFacts } from './linkedin/company.ts';
import type { Title } from './linkedin/titles.ts';
import type { Market } from './market.ts';
import type { Naming } from './naming.ts';
import type { Observables } from './observables.ts';
import type { Pages } from './pages.ts';
import type { Parameters } from './parameters.ts';
import type { AccountRef, People } from './people.ts';
import type { PostCauses } from './posts.ts';
import type { ProfileChanges } from './profile-changes.ts';
import type { Traits } from './traits.ts';

export interface World {
  readonly seed: number;
  /** Personal accounts per platform. */
  readonly size: number;
  readonly clock: Clock;
  readonly parameters: Parameters;
  /** Identifies the parameters. */
  readonly hash: string;
  /** Number of accounts of the population; LinkedIn's companies come after its persons. Outsiders come after them. */
  count(platform: Platform): number;
  /** @throws {RangeError} if there is no such account. */
  account(platform: Platform, index: number, at?: number): Account;
  /** The handle (lower case) at a time. */
  handleOf(platform: Platform, index: number, at?: number): string;
  /** Account that has, had or will have this handle (case-insensitive); null if none. The first of several. */
  find(platform: Platform, handle: string): number | null;
  findById(platform: Platform, id: string): number | null;
  /** Account that the IDs of a post on X are drawn for; null if there is none. */
  findAuthor(author: number): number | null;
  /** The account that has this handle at the time and is not absent; null otherwise. */
  current(platform: Platform, handle: string, at?: number): Account | null;
  /** Newest first, starting at post number `before` - 1. */
  posts(account: Account, at: number, limit: number, before?: number): readonly SimPost[];
  /** Post `n` of an account; null before it is posted. */
  post(platform: Platform, index: number, n: number, at: number): SimPost | null;
  /** The post that the account shows first, whatever its age. */
  pinned(account: Account, at: number): SimPost | null;
  followers(platform: Platform, index: number, at?: number): FollowList;
  following(platform: Platform, index: number, at?: number): FollowList;
  readonly market: Market;
  /** What is so and what no surface shows. */
  readonly hidden: Hidden;
}

export interface Hidden {
  traits(platform: Platform, index: number): Traits;
  audience(platform: Platform, index: number): Audience;
  ban(platform: Platform, index: number, at: number): Ban | null;
  causes(platform: Platform, index: number, n: number): PostCauses;
  /** Posts of others that answer post `n`, as of a time. */
  repliesTo(platform: Platform, index: number, n: number, at: number): readonly PostRef[];
  /** Followers before they are rounded. */
  followers(platform: Platform, index: number, at: number): number;
  /** Whom a role of the account is about. */
  subject(platform: Platform, index: number): AccountRef | null;
  /** The name without ornaments. */
  name(platform: Platform, index: number): string;
  employer(index: number): number;
  title(index: number): Title;
  company(index: number): CompanyFacts;
  /** Residents that an account follows at a time. */
  follows(platform: Platform, index: number, at: number): readonly number[];
  personPage(index: number): string;
  readonly pages: Pages;
  readonly evidence: Evidence;
  /** Accounts that the operator of an outsider has on other platforms. */
  elsewhere(platform: Platform, index: number): readonly AccountRef[];
  readonly people: People;
  readonly naming: Naming;
  readonly lifecycle: Lifecycle;
  readonly changes: ProfileChanges;
  readonly communities: Communities;
  readonly growth: Growth;
  readonly observables: Observables;
}
