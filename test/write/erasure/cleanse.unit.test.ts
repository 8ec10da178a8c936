import { describe, expect, it } from 'vitest';
import { PLATFORMS, type Platform } from '../../../src/kernel/platform.ts';
import { descriptorOf } from '../../../src/platforms/index.ts';
import { cleansed } from '../../../src/write/erasure/cleanse.ts';
import { Ledger } from '../../../src/write/erasure/fence.ts';
import { createMarker, isMasked, markOf, type SubjectEvent } from '../../../src/write/erasure/subject.ts';
import { tenuresIn } from '../../../src/write/erasure/tenures.ts';
import { posted, sighted, unavailable, unchanged } from '../../support/program.ts';

const marker = createMarker(Buffer.alloc(32, 3));
const ID = '990017001';
const HANDLES: Readonly<Record<Platform, string>> = {
  x: 'ada_l',
  instagram: 'ada.l',
  tiktok: 'ada.l',
  youtube: 'ada-l',
  telegram: 'ada_lovelace',
  bluesky: 'ada.example',
  linkedin: 'ada-l',
};

const ledgerOf = (...events: SubjectEvent[]): Ledger => {
  const ledger = new Ledger(marker);
  for (const [i, event] of events.entries())
    ledger.apply({ revision: BigInt(i), position: BigInt(i), ...event } as never);
  return ledger;
};

const erasedOn = (platform: Platform, handle: string, id: string | null = ID): SubjectEvent => {
  const mark = id === null ? null : markOf(marker, platform, 'id', id);
  const handles = [markOf(marker, platform, 'handle', handle)];
  const subject = (mark ?? handles[0])?.digest as string;
  return {
    type: 'SubjectErased',
    data: { at: '2026-11-28T00:00:00.000Z', platform, subject, id: mark, handles },
  };
};

describe.each(PLATFORMS)('an erased account of %s', (platform) => {
  const handle = HANDLES[platform];
  const { profileUrl, hasMentions } = descriptorOf(platform);
  const ledger = ledgerOf(erasedOn(platform, handle));
  const stream = `account-${platform}:friend`;
  const of = (event: { type: string; data: unknown }, at = stream) =>
    cleansed(ledger, { stream: at, ...event });

  it('is not sighted: by its ID under any name, and by its name where no ID is shown', () => {
    const at = '2026-10-01T00:00:00.000Z';
    expect(of(sighted('another', at, { id: ID }))).toBeNull();
    expect(of(sighted(handle, at, { id: null }))).toBeNull();
    expect(of(sighted(handle, at, { id: '42' }))).not.toBeNull();
  });

  it('is named in no bio, link, post, list, pool or offer of others', () => {
    const url = profileUrl(handle);
    const at = '2026-10-01T00:00:00.000Z';
    const events = [
      [
        sighted('friend', at, {
          id: '7',
          bio: `see ${url}${hasMentions ? ` or @${handle}` : ''}`,
          links: [url],
        }),
      ],
      [
        posted(at, {
          id: '1',
          text: `at ${url}.`,
          mentions: [handle, ID],
          reply_to: { post: '2', account: handle },
        }),
      ],
      [
        {
          type: 'MembersRecruited',
          data: {
            observed_at: at,
            members: [
              { handle, via: 'mention', from: `account-${platform}:${handle}`, depth: 1 },
              { handle: ID, via: 'link', from: null, depth: 1 },
            ],
          },
        },
        `members-${platform}:seed`,
      ],
      [{ type: 'MembersMoved', data: { at, handles: [handle, 'friend'] } }, `members-${platform}:seed`],
      [
        { type: 'LinkPageRead', data: { observed_at: at, page: 'linktr.ee/friend', links: [url] } },
        'linkpage-p',
      ],
      [
        {
          type: 'FollowsSighted',
          data: {
            owner: '7',
            members: [
              { id: ID, handle },
              { id: '8', handle: 'other' },
            ],
          },
        },
        `follows-${platform}:friend`,
      ],
    ] as const;
    for (const [event, at = stream] of events) {
      const left = JSON.stringify(of(event, at));
      expect(left, event.type).not.toContain(`"${handle}"`);
      expect(left, event.type).not.toContain(`@${handle}`);
      expect(left, event.type).not.toContain(url);
      expect(left, event.type).not.toContain(ID);
    }
    const recruited = of(events[2][0], `members-${platform}:seed`) as { members: { handle: string }[] };
    expect(recruited.members.map((member) => isMasked(member.handle))).toEqual([true, true]);
    const own = { type: 'FollowsSighted', data: { owner: ID, members: [] } };
    expect(of(own, `follows-${platform}:${handle}`)).toBeNull();
    expect(of({ type: 'PlacementListed', data: { platform, handle } })).toBeNull();
    expect(of({ type: 'ListingPublished', data: { platform, handle } })).toBeNull();
    expect(of({ type: 'ListingRevised', data: { handle } })).toBeNull();
  });

  it('changes nothing of events that do not name it', () => {
    const events = [
      sighted('friend', '2026-10-01T00:00:00.000Z', {
        id: '7',
        bio: 'me@else.example',
        links: ['https://else.example/'],
      }),
      posted('2026-10-01T00:00:00.000Z', {
        id: '1',
        text: 'with @someone_else https://else.example/',
        mentions: ['else'],
      }),
    ];
    for (const event of events) expect(of(event)).toEqual(event.data);
  });
});

it('a handle that another account has is refused no more, and the ID still is', () => {
  const erased = erasedOn('x', 'ada_l');
  const { subject, handles } = (erased as Extract<SubjectEvent, { type: 'SubjectErased' }>).data;
  const handle = handles[0]?.digest as string;
  const ledger = ledgerOf(erased, { type: 'SubjectHandleLifted', data: { at: '', subject, handle } });
  expect([ledger.has('x', 'handle', 'ada_l'), ledger.has('x', 'id', ID)]).toEqual([false, true]);
  const lifted = ledgerOf(erased, { type: 'SubjectLifted', data: { at: '', subject } });
  const known = (names: Pick<Ledger, 'has'>) => [names.has('x', 'handle', 'ada_l'), names.has('x', 'id', ID)];
  expect(known(lifted)).toEqual([false, false]);
  // What stands in the log before was about the account, and stays masked.
  expect(known(lifted.asOf(0n))).toEqual([true, true]);
  expect(known(lifted.asOf(1n))).toEqual([false, false]);
  expect(known(ledger.asOf(0n))).toEqual([true, true]);
});

it('names of one platform or kind are refused on no other', () => {
  const ledger = ledgerOf(erasedOn('x', 'ada_l'));
  expect(PLATFORMS.filter((platform) => ledger.has(platform, 'handle', 'ada_l'))).toEqual(['x']);
  expect(ledger.has('x', 'id', 'ada_l')).toBe(false);
  expect(ledger.has('x', 'handle', ID)).toBe(false);
});

it('the events of a name are an account’s from its profile on to the next one of another account', () => {
  const at = '2026-10-01T00:00:00.000Z';
  const stream = 'account-x:ada_l';
  const events = [
    unavailable(at, 'absent'),
    sighted('ada_l', at, { id: ID }),
    unchanged(at),
    sighted('ada_l', at, { id: null }),
    sighted('ada_l', '2026-10-02T00:00:00.000Z', { id: '42' }),
    sighted('ada_l', at, { id: null }),
    sighted('ada_l', at, { id: ID }),
    unavailable(at, 'suspended'),
  ].map((event, i) => ({ ...event, revision: BigInt(i) }));
  expect(tenuresIn(ledgerOf(erasedOn('x', 'ada_l')), stream, events)).toEqual([
    { stream, from: 1, through: 3, since: '2026-10-02T00:00:00.000Z' },
    { stream, from: 6, through: 7, since: null },
  ]);
});
