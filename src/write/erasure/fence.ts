/** The accounts that were erased, as every process knows them. */

import type { Platform } from '../../kernel/platform.ts';
import type { RecordedEvent } from '../log/port.ts';
import { type Mark, type Marker, maskOf, type NameKind, type SubjectEvent } from './subject.ts';

/** What a stream has of a subject whose events are not removed yet. */
export interface OpenTenure {
  readonly subject: string;
  readonly stream: string;
  readonly from: number;
  readonly through: number;
}

/** What a name is asked for. */
export interface Names {
  has(platform: Platform, kind: NameKind, name: string): boolean;
  /** What stands in place of an erased name; null if it is not erased. */
  maskOf(platform: Platform, kind: NameKind, name: string): string | null;
  /** The digest of the subject that has the name; null if none has. */
  subjectOf(platform: Platform, kind: NameKind, name: string): string | null;
  /** What lifts an erased handle; null if it is not erased, or if nobody knows the ID that tells its subject from later owners. */
  liftOf(platform: Platform, handle: string): HandleLift | null;
}

/** Accounts that are refused. */
export interface Refused extends Names {
  /** What an event at a position is asked with: what was lifted after it is refused in it all the same. */
  asOf(position: bigint): Names;
  /** Whether an event is in an open tenure, or in the part of its stream that was truncated. */
  isVoid(event: Pick<RecordedEvent, 'stream' | 'revision' | 'position'>): boolean;
}

export interface Fence extends Refused {
  /** Whether nothing was erased: nothing needs to be asked. */
  readonly isEmpty: boolean;
  /** Revision of the last event of the ledger that it knows; -1 before the first. */
  readonly revision: bigint;
  /** Those alone that the log forgets, and not those that are suppressed. */
  readonly erased: Refused;
  /** What the ledger says of a subject; null if it is not refused. */
  entryOf(subject: string): LedgerEntry | null;
  /** Whether an event that voided what a stream says of a subject is undone. */
  isUndone(subject: string, position: bigint): boolean;
}

/** What the ledger says of a subject that is refused. */
export interface LedgerEntry {
  readonly isErased: boolean;
  /** When it is to be erased; null if it is erased, or is not to be. */
  readonly due: string | null;
  readonly id: Mark | null;
  /** Of the handles that are still its own. */
  readonly handles: readonly Mark[];
}

/** A handle of a subject, as the ledger names both. */
export interface HandleLift {
  readonly subject: string;
  readonly handle: string;
}

/** A name of a subject. It stays here when it is lifted: events before that are about the subject. */
interface Name {
  readonly subject: string;
  readonly isErased: boolean;
  /** Whether an ID tells the subject from later owners of its handles. */
  readonly hasId: boolean;
  /** Position of what lifted it; null if it is refused. */
  readonly liftedAt: bigint | null;
}

/** Where a stream begins that was truncated. */
interface Begin {
  readonly before: number;
  /** Position of what truncated it: a later event is not void, though a restored stream may have begun anew. */
  readonly at: bigint;
}

interface Subject {
  readonly id: Mark | null;
  readonly handles: Map<string, number>;
  readonly isErased: boolean;
  readonly due: string | null;
}

/** What was appended of a subject between its suppression and the entry that shows it again. */
interface Undone {
  readonly from: bigint;
  readonly through: bigint;
}

const NONE: readonly OpenTenure[] = [];

/** By hint, then by digest. Nearly all that is asked for has a hint that nothing has. */
type Hinted<Value> = Map<number, Map<string, Value>>;

const putHinted = <Value>(all: Hinted<Value>, { digest, hint }: Mark, value: Value): void => {
  const same = all.get(hint) ?? new Map<string, Value>();
  all.set(hint, same.set(digest, value));
};

/** What the ledger says, folded from its events. */
export class Ledger implements Fence {
  readonly #marker: Marker;
  readonly #subjects = new Map<string, Subject>();
  readonly #names: Hinted<Name> = new Map();
  readonly #begins: Hinted<Begin> = new Map();
  /** Positions from which on events may void what subjects have. */
  readonly #since = new Map<string, bigint>();
  readonly #undone = new Map<string, Undone[]>();
  #tenures: ReadonlyMap<string, readonly OpenTenure[]> = new Map();
  #revision = -1n;
  #lastLift = -1n;
  readonly erased: Refused = {
    ...this.#namesOf(({ isErased, liftedAt }) => isErased && liftedAt === null),
    asOf: (position) =>
      position >= this.#lastLift
        ? this.erased
        : this.#namesOf((name) => name.isErased && isRefusedAt(name, position)),
    isVoid: (event) =>
      this.#tenuresAt(event).some(({ subject }) => this.#subjects.get(subject)?.isErased === true) ||
      this.#isTruncated(event),
  };
  readonly #now = this.#namesOf(({ liftedAt }) => liftedAt === null);

  constructor(marker: Marker) {
    this.#marker = marker;
  }

  get isEmpty(): boolean {
    return this.#names.size === 0 && this.#tenures.size === 0 && this.#undone.size === 0;
  }

  get revision(): bigint {
    return this.#revision;
  }

  has(platform: Platform, kind: NameKind, name: string): boolean {
    return this.#now.has(platform, kind, name);
  }

  maskOf(platform: Platform, kind: NameKind, name: string): string | null {
    return this.#now.maskOf(platform, kind, name);
  }

  subjectOf(platform: Platform, kind: NameKind, name: string): string | null {
    return this.#now.subjectOf(platform, kind, name);
  }

  liftOf(platform: Platform, handle: string): HandleLift | null {
    return this.#now.liftOf(platform, handle);
  }

  asOf(position: bigint): Names {
    return position >= this.#lastLift ? this : this.#namesOf((name) => isRefusedAt(name, position));
  }

  isVoid(event: Pick<RecordedEvent, 'stream' | 'revision' | 'position'>): boolean {
    return this.#tenuresAt(event).length > 0 || this.#isTruncated(event);
  }

  entryOf(subject: string): LedgerEntry | null {
    const entry = this.#subjects.get(subject);
    if (entry === undefined) return null;
    const { isErased, due, id, handles } = entry;
    return { isErased, due, id, handles: [...handles].map(([digest, hint]) => ({ digest, hint })) };
  }

  isUndone(subject: string, position: bigint): boolean {
    return (this.#undone.get(subject) ?? []).some(
      ({ from, through }) => from <= position && position <= through,
    );
  }

  setTenures(tenures: readonly OpenTenure[]): void {
    this.#tenures = Map.groupBy(tenures, ({ stream }) => stream);
  }

  apply(event: RecordedEvent): void {
    this.#revision = event.revision;
    const { type, data } = event as unknown as SubjectEvent;
    if (type === 'SubjectErased' || type === 'SubjectSuppressed') {
      const isErased = type === 'SubjectErased';
      this.#refuse(data.subject, { ...data, isErased, due: isErased ? null : data.due });
      if (!this.#since.has(data.subject)) this.#since.set(data.subject, event.position);
    } else if (type === 'SubjectHandleLifted') {
      const handles = this.#subjects.get(data.subject)?.handles;
      const hint = handles?.get(data.handle);
      handles?.delete(data.handle);
      if (hint !== undefined) this.#lift({ digest: data.handle, hint }, event.position);
    } else if (type === 'SubjectLifted') {
      this.#since.delete(data.subject);
      for (const mark of this.#drop(data.subject)) this.#lift(mark, event.position);
    } else if (type === 'SubjectReleased') {
      // What was read of it before is shown again.
      for (const { hint, digest } of this.#drop(data.subject)) this.#names.get(hint)?.delete(digest);
    } else if (type === 'SubjectShown') {
      const from = this.#since.get(data.subject);
      this.#since.delete(data.subject);
      if (from === undefined) return;
      const undone = { from, through: event.position };
      this.#undone.set(data.subject, [...(this.#undone.get(data.subject) ?? []), undone]);
    } else if (type === 'SubjectStreamsTruncated') {
      for (const { before, ...mark } of data.streams)
        putHinted(this.#begins, mark, { before, at: event.position });
    }
  }

  #refuse(subject: string, { id, handles: marks, isErased, due }: LedgerEntry): void {
    const handles = this.#subjects.get(subject)?.handles ?? new Map<string, number>();
    this.#subjects.set(subject, { id, handles, isErased, due });
    for (const { digest, hint } of marks) handles.set(digest, hint);
    const name = { subject, isErased, hasId: id !== null, liftedAt: null };
    for (const mark of this.#marksOf(subject)) putHinted(this.#names, mark, name);
  }

  /** What names a subject that is refused: its ID, and the handles that are still its own. */
  #marksOf(subject: string): readonly Mark[] {
    const { id = null, handles = [] } = this.#subjects.get(subject) ?? {};
    return [...(id === null ? [] : [id]), ...[...handles].map(([digest, hint]) => ({ digest, hint }))];
  }

  /** Refuses a subject no longer. @returns what named it. */
  #drop(subject: string): readonly Mark[] {
    const marks = this.#marksOf(subject);
    this.#subjects.delete(subject);
    return marks;
  }

  #lift(mark: Mark, position: bigint): void {
    const name = this.#names.get(mark.hint)?.get(mark.digest);
    if (name?.liftedAt !== null) return;
    putHinted(this.#names, mark, { ...name, liftedAt: position });
    this.#lastLift = position;
  }

  #tenuresAt({ stream, revision }: Pick<RecordedEvent, 'stream' | 'revision'>): readonly OpenTenure[] {
    const at = Number(revision);
    return (this.#tenures.get(stream) ?? NONE).filter(({ from, through }) => from <= at && at <= through);
  }

  #isTruncated({
    stream,
    revision,
    position,
  }: Pick<RecordedEvent, 'stream' | 'revision' | 'position'>): boolean {
    const begins = this.#begins.size === 0 ? undefined : this.#begins.get(this.#marker.streamHint(stream));
    const begin = begins?.get(this.#marker.streamDigest(stream));
    return begin !== undefined && Number(revision) < begin.before && position < begin.at;
  }

  /** What is asked of the names that count. */
  #namesOf(counts: (name: Name) => boolean): Names {
    const find = (platform: Platform, kind: NameKind, text: string): Name | undefined => {
      const digests = this.#names.get(this.#marker.hint(platform, kind, text));
      const name = digests?.get(this.#marker.digest(platform, kind, text));
      return name !== undefined && counts(name) ? name : undefined;
    };
    return {
      has: (...name) => find(...name) !== undefined,
      maskOf: (...name) => (find(...name) === undefined ? null : maskOf(this.#marker.digest(...name))),
      subjectOf: (...name) => find(...name)?.subject ?? null,
      liftOf: (platform, handle) => {
        const name = find(platform, 'handle', handle);
        if (name?.hasId !== true) return null;
        return { subject: name.subject, handle: this.#marker.digest(platform, 'handle', handle) };
      },
    };
  }
}

const isRefusedAt = ({ liftedAt }: Name, position: bigint): boolean =>
  liftedAt === null || position < liftedAt;

const NOBODY: Refused = {
  has: () => false,
  maskOf: () => null,
  subjectOf: () => null,
  liftOf: () => null,
  asOf: () => NOBODY,
  isVoid: () => false,
};

/** Nothing was erased. */
export const NOTHING_ERASED: Fence = {
  ...NOBODY,
  isEmpty: true,
  revision: -1n,
  erased: NOBODY,
  entryOf: () => null,
  isUndone: () => false,
};
