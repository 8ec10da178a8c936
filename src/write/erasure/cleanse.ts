/** Events without what they say of erased accounts: at the log's door, and in the log itself. */

import { PLATFORMS, type Platform } from '../../kernel/platform.ts';
import { urlsIn } from '../../kernel/text.ts';
import type { Address } from '../../platforms/descriptor.ts';
import { accountOfUrl, descriptorOf } from '../../platforms/index.ts';
import { withoutHandles } from '../../platforms/mentions.ts';
import type { Post, PostReference } from '../accounts/post.ts';
import type { Profile } from '../accounts/profile.ts';
import type { EventDataOf, EventType } from '../event-types.ts';
import type { FollowsMember } from '../follows.ts';
import type { LeadFacts } from '../leads.ts';
import type { Door } from '../log/codec.ts';
import type { Member } from '../pools/pool.ts';
import { isOfPlatforms } from '../stream-platform.ts';
import type { Fence, Names } from './fence.ts';
import { VOIDING, type VoidingType } from './subject.ts';

/** What an event is of, as its stream says it. */
interface Place {
  readonly platform: Platform;
  readonly name: string;
}

type Known = Pick<Names, 'has' | 'maskOf' | 'liftOf'>;

/** What tells whether a name is that of an erased account. */
export type Named = Pick<Names, 'has' | 'liftOf'>;

/** Whether a name, a handle or a native ID, is that of an erased account. */
export const isErasedName = (fence: Named, platform: Platform, name: string): boolean =>
  fence.has(platform, 'handle', name) || fence.has(platform, 'id', name);

export const isErasedAddress = (fence: Named, platform: Platform, address: Address): boolean =>
  address.kind === 'id'
    ? fence.has(platform, 'id', address.id)
    : isErasedName(fence, platform, address.handle);

/**
 * Whether a profile is that of an erased account: its ID decides, and its handle where it shows none, or where nobody knows the ID of
 * the account that was erased under it.
 */
export const isErasedProfile = (
  fence: Named,
  platform: Platform,
  { id, handle }: Pick<Profile, 'id' | 'handle'>,
): boolean => {
  if (id === null) return isErasedName(fence, platform, handle);
  return (
    fence.has(platform, 'id', id) ||
    (fence.has(platform, 'handle', handle) && fence.liftOf(platform, handle) === null)
  );
};

/** Hosts of profiles. Parsing an address costs more than all else that is asked of an event, and most lead elsewhere. */
const HOSTS = /[/.](?:x|twitter|instagram|instagr|tiktok|youtube|t|telegram|bsky|linkedin)\./i;

const isErasedLink = (fence: Known, link: string): boolean => {
  const found = HOSTS.test(link) && URL.canParse(link) ? accountOfUrl(new URL(link)) : null;
  return found !== null && isErasedAddress(fence, found.platform, found.address);
};

const NAMELESS = '@…';
const LINKLESS = '…';

/** A text without mentions of erased accounts and links to them; the same text if it has none. */
const cleansedText = (fence: Known, platform: Platform, text: string): string => {
  const { hasMentions, parseHandle } = descriptorOf(platform);
  let found = text;
  for (const url of urlsIn(text)) if (isErasedLink(fence, url)) found = found.replaceAll(url, LINKLESS);
  return hasMentions
    ? withoutHandles(found, parseHandle, (handle) =>
        isErasedName(fence, platform, handle) ? NAMELESS : null,
      )
    : found;
};

const textOf = <Text extends string | null>(fence: Known, platform: Platform, text: Text): Text =>
  text === null ? text : (cleansedText(fence, platform, text) as Text);

const linksOf = (fence: Known, links: readonly string[]): string[] =>
  links.filter((link) => !isErasedLink(fence, link));

/** A list without the elements that are not kept; the same list if all are. */
const filtered = <Element>(
  elements: readonly Element[],
  keeps: (element: Element) => boolean,
): readonly Element[] => (elements.every(keeps) ? elements : elements.filter(keeps));

const referenceOf = (
  fence: Known,
  platform: Platform,
  reference: PostReference | null,
): PostReference | null =>
  reference?.account != null && isErasedName(fence, platform, reference.account) ? null : reference;

const urlOf = (fence: Known, url: string | null): string | null =>
  url !== null && isErasedLink(fence, url) ? null : url;

/** A post of another account. */
const cleansedPost = (fence: Known, platform: Platform, post: Post): Post => ({
  ...post,
  url: urlOf(fence, post.url),
  text: textOf(fence, platform, post.text),
  mentions: post.mentions?.filter((name) => !isErasedName(fence, platform, name)) ?? null,
  reply_to: referenceOf(fence, platform, post.reply_to),
  target: referenceOf(fence, platform, post.target),
});

/** Posts of another account. One that repeats a post of an erased account goes: all of it is hers. */
export const cleansedPosts = (fence: Known, platform: Platform, posts: readonly Post[]): readonly Post[] =>
  posts.flatMap((post) => {
    const cleansed = cleansedPost(fence, platform, post);
    return post.kind === 'repost' && post.target !== null && cleansed.target === null ? [] : cleansed;
  });

/** A profile of another account. */
export const cleansedProfile = (fence: Known, platform: Platform, profile: Profile): Profile => ({
  ...profile,
  bio: textOf(fence, platform, profile.bio),
  links: linksOf(fence, profile.links),
});

/** A list of accounts without those that were erased. */
const cleansedMembers = (
  fence: Known,
  platform: Platform,
  members: readonly FollowsMember[],
): readonly FollowsMember[] =>
  filtered(
    members,
    ({ id, handle }) =>
      !fence.has(platform, 'id', id) && !(handle === id && fence.has(platform, 'handle', id)),
  );

/** A name, or the mask that stands in its place. */
const masked = (fence: Known, platform: Platform, name: string): string =>
  fence.maskOf(platform, 'handle', name) ?? fence.maskOf(platform, 'id', name) ?? name;

const accountIn = (stream: string): Place | null => {
  const dash = stream.indexOf('-') + 1;
  const colon = stream.indexOf(':', dash);
  const platform = PLATFORMS.find((each) => each === stream.slice(dash, colon));
  return platform === undefined ? null : { platform, name: stream.slice(colon + 1) };
};

const maskedFrom = (fence: Known, from: string | null): string | null => {
  const of = from === null ? null : accountIn(from);
  return of !== null && isErasedName(fence, of.platform, of.name) ? null : from;
};

/**
 * What is left of an event's data; null if all of it is about an erased account. `same` for types that name no account by themselves:
 * those of an account's stream, which its tenures decide on, are among them.
 */
type Cleanse<Type extends EventType> =
  | 'same'
  | ((fence: Known, data: EventDataOf<Type>, place: Place) => EventDataOf<Type> | null);

const LINKEDIN = 'linkedin';

const ofSlug =
  <Data>(slugOf: (data: Data) => string) =>
  (fence: Known, data: Data): Data | null =>
    isErasedName(fence, LINKEDIN, slugOf(data)) ? null : data;

type Employer = EventDataOf<'DecisionMakerSighted'>['company'];

const employerOf = (fence: Known, company: Employer): Employer =>
  company?.slug != null && isErasedName(fence, LINKEDIN, `company:${company.slug}`) ? null : company;

/** Facts of another account's page. */
export const cleansedFacts = (fence: Known, facts: LeadFacts): LeadFacts =>
  facts.kind === 'company'
    ? facts
    : { ...facts, facts: { ...facts.facts, company: employerOf(fence, facts.facts.company) } };

/** Whether an event is about an account that is hidden. */
type IsAbout<Type extends EventType> = (fence: Known, data: EventDataOf<Type>, place: Place) => boolean;

/**
 * Types that quote others, and what tells whether all of an event is about a hidden account. No read model forgets what a suppressed
 * account is called in them, so that the rest of them passes as it is: only an erasure makes these read models anew.
 */
const QUOTING: { readonly [Type in EventType]?: IsAbout<Type> } = {
  AccountSighted: (fence, data, { platform }) => isErasedProfile(fence, platform, data.profile),
  PostsSighted: () => false,
  LinkPageRead: () => false,
  DecisionMakerSighted: (fence, data) => isErasedName(fence, LINKEDIN, data.slug),
};

/** A type that is missing here does not compile. */
const CLEANSES: { readonly [Type in EventType]: Cleanse<Type> } = {
  AccountSighted: (fence, data, { platform }) =>
    isErasedProfile(fence, platform, data.profile)
      ? null
      : { ...data, profile: cleansedProfile(fence, platform, data.profile) },
  AccountUnchanged: 'same',
  AccountUnavailable: 'same',
  PostsSighted: (fence, data, { platform }) => ({
    ...data,
    posts: [...cleansedPosts(fence, platform, data.posts)],
  }),
  FollowsSighted: (fence, data, { platform }) =>
    fence.has(platform, 'id', data.owner)
      ? null
      : { ...data, members: [...cleansedMembers(fence, platform, data.members)] },
  LinkPageRead: (fence, data) => ({ ...data, links: data.links && linksOf(fence, data.links) }),
  MembersRecruited: (fence, data, { platform }) => ({
    ...data,
    members: data.members.map(
      (member): Member => ({
        ...member,
        handle: masked(fence, platform, member.handle),
        from: maskedFrom(fence, member.from),
      }),
    ),
  }),
  MembersMoved: (fence, data, { platform }) => ({
    ...data,
    handles: data.handles.map((handle) => masked(fence, platform, handle)),
  }),
  MembersRemoved: (fence, data, { platform }) => ({
    ...data,
    handles: data.handles.map((handle) => masked(fence, platform, handle)),
  }),
  ListingPublished: (fence, data) =>
    data.handle !== null && isErasedName(fence, data.platform, data.handle) ? null : data,
  // Its stream does not say of which platform the account is.
  ListingRevised: (fence, data) =>
    data.handle !== null && PLATFORMS.some((platform) => isErasedName(fence, platform, data.handle as string))
      ? null
      : data,
  PlacementListed: (fence, data) => (isErasedName(fence, data.platform, data.handle) ? null : data),
  CompanySighted: ofSlug(({ slug }) => `company:${slug}`),
  DecisionMakerSighted: (fence, data) =>
    isErasedName(fence, LINKEDIN, data.slug) ? null : { ...data, company: employerOf(fence, data.company) },
  ListingRepriced: 'same',
  ListingSold: 'same',
  ListingWithdrawn: 'same',
  MarketplaceSwept: 'same',
  PoolCreated: 'same',
  PoolTuned: 'same',
  PoolPaused: 'same',
  PoolResumed: 'same',
  PoolExpanded: 'same',
  PoolRetired: 'same',
  PoolReopened: 'same',
  CrawlBatchCompleted: 'same',
  EngineDegraded: 'same',
  EngineRecovered: 'same',
  EngineTuned: 'same',
  EnginePaused: 'same',
  EngineResumed: 'same',
  EngineRestEnded: 'same',
  ResearchRunStarted: 'same',
  PoolEvaluated: 'same',
  FindingRecorded: 'same',
  ExpansionDecided: 'same',
  ResearchRunCompleted: 'same',
  ResearchRunFailed: 'same',
  FindingConfirmed: 'same',
  FindingDismissed: 'same',
  FindingSuperseded: 'same',
  ResearchLimitsSet: 'same',
  LadderComputed: 'same',
  PopulationPatternsComputed: 'same',
  PopulationCounted: 'same',
  HolderRegistered: 'same',
  KeyIssued: 'same',
  KeyRotated: 'same',
  KeyRevoked: 'same',
  KeyPinned: 'same',
  ScopesGranted: 'same',
  PlanChosen: 'same',
  OverageSet: 'same',
  WalletCredited: 'same',
  UsageSettled: 'same',
  HolderSuspended: 'same',
  HolderResumed: 'same',
  ProjectionEventSkipped: 'same',
  ProjectionStreamParked: 'same',
  ProjectionStreamRetried: 'same',
  ProjectionSourceChosen: 'same',
  ProjectionRebuilt: 'same',
  ProjectionCopied: 'same',
  ProjectionBuildDropped: 'same',
  SessionAdded: 'same',
  SessionResealed: 'same',
  SessionReinstated: 'same',
  SessionRemoved: 'same',
  SecretRotated: 'same',
  OperatorAdded: 'same',
  OperatorRemoved: 'same',
  OperatorLoggedIn: 'same',
  OperatorLoggedOut: 'same',
  ProxiesConfigured: 'same',
  AlarmRaised: 'same',
  AlarmAcknowledged: 'same',
  AlarmCleared: 'same',
  BackupVerified: 'same',
  EventsArchived: 'same',
  ExportMade: 'same',
  ExportDestroyed: 'same',
  SubjectErased: 'same',
  SubjectSuppressed: 'same',
  SubjectReleased: 'same',
  SubjectShown: 'same',
  SubjectHandleLifted: 'same',
  SubjectLifted: 'same',
  SubjectForgotten: 'same',
  SubjectStreamsTruncated: 'same',
  RequestDismissed: 'same',
  RetentionBegun: 'same',
  AccountExpired: 'same',
  RetentionApplied: 'same',
  AccountErased: 'same',
  FollowsErased: 'same',
  LeadErased: 'same',
  ListingErased: 'same',
};

const placeOf = (stream: string): Place =>
  (isOfPlatforms(stream.slice(0, stream.indexOf('-') + 1)) ? accountIn(stream) : null) ?? {
    platform: LINKEDIN,
    name: '',
  };

/** What is left of an event's data; the same object if it names no erased account, and null if nothing is left. */
export const cleansed = (
  fence: Known,
  { stream, type, data }: { readonly stream: string; readonly type: string; readonly data: unknown },
): unknown => {
  const cleanse = CLEANSES[type as EventType] as Cleanse<EventType> | undefined;
  if (cleanse === undefined || cleanse === 'same') return data;
  return (cleanse as (fence: Known, data: unknown, place: Place) => unknown)(fence, data, placeOf(stream));
};

/** The log's door that a fence guards. */
export const doorOf = (fence: Fence): Door => ({
  get isOpen() {
    return fence.isEmpty;
  },
  pass: ({ revision, position, ...event }, isKept) => {
    // On append it has neither.
    if (revision === undefined || position === undefined) return cleansed(fence, event);
    const { erased } = fence;
    const hiding = isKept ? erased : fence;
    const place = { stream: event.stream, revision, position };
    // What tells views of an erasure passes, however late they read it.
    if (!VOIDING.has(event.type) && hiding.isVoid(place)) {
      // Who is in a suppressed account's list is known by it: the view forgets the list, and not whom it names.
      const isHeld = event.type === 'FollowsSighted' && !erased.isVoid(place);
      return isHeld ? cleansed(erased.asOf(position), event) : null;
    }
    const isAbout = QUOTING[event.type as EventType] as IsAbout<EventType> | undefined;
    if (hiding === erased || isAbout === undefined) return cleansed(hiding.asOf(position), event);
    const isHidden = isAbout(hiding.asOf(position), event.data as never, placeOf(event.stream));
    return isHidden ? null : cleansed(erased.asOf(position), event);
  },
  isUndone: ({ type, data, position }) =>
    VOIDING.has(type) && fence.isUndone((data as EventDataOf<VoidingType>).subject, position),
});
