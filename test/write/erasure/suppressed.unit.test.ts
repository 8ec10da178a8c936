import { describe, expect, it } from 'vitest';
import { doorOf } from '../../../src/write/erasure/cleanse.ts';
import { Ledger } from '../../../src/write/erasure/fence.ts';
import {
  createMarker,
  markOf,
  type SubjectEvent,
  VOIDING,
  voidingTypeOf,
} from '../../../src/write/erasure/subject.ts';
import { eventTypes } from '../../../src/write/event-types.ts';
import { createDecoder } from '../../../src/write/log/codec.ts';
import type { RecordedEvent } from '../../../src/write/log/port.ts';
import { eventExamples } from '../../support/event-examples.ts';
import { sighted } from '../../support/program.ts';

const marker = createMarker(Buffer.alloc(32, 3));
const AT = '2026-11-28T00:00:00.000Z';
const ID = '990017001';
const id = markOf(marker, 'x', 'id', ID);
const handles = [markOf(marker, 'x', 'handle', 'ada')];
const subject = id.digest;
const refused = { at: AT, platform: 'x' as const, subject, id, handles };

const SUPPRESSED: SubjectEvent = { type: 'SubjectSuppressed', data: { ...refused, due: null } };
const ERASED: SubjectEvent = { type: 'SubjectErased', data: refused };
const RELEASED: SubjectEvent = { type: 'SubjectReleased', data: { at: AT, subject } };
const SHOWN: SubjectEvent = { type: 'SubjectShown', data: { at: AT, subject } };
const LIFTED: SubjectEvent = { type: 'SubjectLifted', data: { at: AT, subject } };

/** A ledger whose nth entry is at position 10 n. */
const ledgerOf = (...entries: readonly SubjectEvent[]): Ledger => {
  const ledger = new Ledger(marker);
  for (const [i, entry] of entries.entries())
    ledger.apply({
      revision: BigInt(i),
      position: BigInt((i + 1) * 10),
      ...entry,
    } as unknown as RecordedEvent);
  return ledger;
};

const recorded = (
  event: { readonly type: string; readonly data: unknown },
  stream = 'account-x:ada',
  position = 15n,
): RecordedEvent => ({
  ...event,
  id: '01a20253-e8b7-7fbe-97e0-f6d430ff7812',
  stream,
  position,
  revision: 0n,
  recorded_at: AT,
  metadata: {},
});

const TENURE = { subject, stream: 'account-x:ada', from: 0, through: 5 };

describe('what readers get of a suppressed account', () => {
  const ledger = ledgerOf(SUPPRESSED);
  ledger.setTenures([TENURE]);
  const decoder = createDecoder(eventTypes, doorOf(ledger));

  it.each(eventExamples().map((example) => [example.type, example] as const))(
    'is, of %s in its tenure, nothing but that it is void, and all of it for backups',
    (type, { data }) => {
      const event = recorded({ type, data });
      expect(decoder.decode(event, { raw: true, suppressed: true })).toEqual(event);
      const isKept = VOIDING.has(type) || type === 'FollowsSighted';
      expect(decoder.decode(event, { raw: true }) === null).toBe(!isKept);
    },
  );

  it('is what others say of it, as the read models have it, and nothing once it is erased', () => {
    const friend = recorded(sighted('friend', AT, { id: '7', bio: 'with @ada' }), 'account-x:friend');
    expect(decoder.decode(friend)?.data).toMatchObject({ profile: { bio: 'with @ada' } });
    const erased = createDecoder(eventTypes, doorOf(ledgerOf(ERASED)));
    expect(erased.decode(friend)?.data).toMatchObject({ profile: { bio: 'with @…' } });
    const own = recorded(sighted('ada2', AT, { id: ID }), 'account-x:ada2');
    expect(decoder.decode(own)).toBeNull();
  });

  it('is nothing new: the log takes in neither it nor what names it', () => {
    const door = doorOf(ledger);
    const entering = (event: { type: string; data: unknown }, stream: string) =>
      door.pass({ stream, ...event }, false);
    expect(entering(sighted('ada', AT, { id: ID }), 'account-x:ada')).toBeNull();
    expect(entering(sighted('friend', AT, { id: '7', bio: 'with @ada' }), 'account-x:friend')).toMatchObject({
      profile: { bio: 'with @…' },
    });
  });
});

describe('what voids a suppressed account', () => {
  const voiding = (stream: string, position: bigint) =>
    recorded(
      {
        type: voidingTypeOf(stream),
        data: { at: AT, subject, from: 0, through: 5, since: null, is_first: true },
      },
      stream,
      position,
    );
  const STREAMS = [
    'account-x:ada',
    'linkpage-linktr.ee/ada',
    'follows-x:ada',
    'company-ada',
    'decisionmaker-ada',
    'listing-m:1',
  ];
  const isVoid = (ledger: Ledger, position: bigint): boolean => {
    const decoder = createDecoder(eventTypes, doorOf(ledger));
    const found = STREAMS.map((stream) => decoder.decode(voiding(stream, position)));
    const kept = found.filter((each) => each !== null && VOIDING.has(each.type)).length;
    expect([0, STREAMS.length]).toContain(kept);
    // Each keeps its place in its stream.
    expect(found.map((each) => each?.revision)).toEqual(STREAMS.map(() => 0n));
    return kept > 0;
  };

  it.each([
    ['while it is suppressed', [SUPPRESSED], 15n, true],
    ['while it is only released', [SUPPRESSED, RELEASED], 15n, true],
    ['no more once it is shown', [SUPPRESSED, RELEASED, SHOWN], 15n, false],
    [
      'no more of an earlier suppression either',
      [SUPPRESSED, RELEASED, SUPPRESSED, RELEASED, SHOWN],
      15n,
      false,
    ],
    ['again if it is suppressed again', [SUPPRESSED, RELEASED, SHOWN, SUPPRESSED], 45n, true],
    [
      'no more of the time before, if it is suppressed again',
      [SUPPRESSED, RELEASED, SHOWN, SUPPRESSED],
      15n,
      false,
    ],
    ['for good if it was erased before', [ERASED, LIFTED, SUPPRESSED, RELEASED, SHOWN], 15n, true],
    ['for good if it is erased after all', [SUPPRESSED, ERASED, LIFTED], 15n, true],
  ] as const)('does so %s', (_, entries, position, expected) => {
    expect(isVoid(ledgerOf(...entries), position)).toBe(expected);
  });
});

describe('the ledger', () => {
  it('says of a suppressed account that it is refused and not to be forgotten, until it is erased', () => {
    const names: readonly (readonly ['x', 'id' | 'handle', string])[] = [
      ['x', 'id', ID],
      ['x', 'handle', 'ada'],
    ];
    const suppressed = ledgerOf(SUPPRESSED);
    const erased = ledgerOf(SUPPRESSED, ERASED);
    const released = ledgerOf(SUPPRESSED, RELEASED);
    for (const name of names) {
      expect([suppressed.has(...name), suppressed.erased.has(...name)]).toEqual([true, false]);
      expect([erased.has(...name), erased.erased.has(...name)]).toEqual([true, true]);
      expect([released.has(...name), released.erased.has(...name)]).toEqual([false, false]);
    }
    expect(suppressed.entryOf(subject)).toEqual({ isErased: false, due: null, id, handles });
    expect(released.entryOf(subject)).toBeNull();
  });
});
