/** The accounts that were erased, as every process knows them. */

import type { Platform } from '../../kernel/platform.ts';
import type { RecordedEvent } from '../log/port.ts';
import { type Mark, type Marker, maskOf, type NameKind, type SubjectEvent } from './subject.ts';

/** What a stream has of a subject whose events are not removed yet. */
export interface OpenTenure {
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

export interface Fence extends Names {
  /** Whether nothing was erased: nothing needs to be asked. */
  readonly isEmpty: boolean;
  /** Revision of the last event of the ledger that it knows; -1 before the first. */
  readonly revision: bigint;
  /** What an event at a position is asked with: what was lifted after it is refused in it all the same. */
  asOf(position: bigint): Names;
  /** Whether an event is in an open tenure, or in the part of its stream that was truncated. */
  isVoid(event: Pick<RecordedEvent, 'stream' | 'revision' | 'position'>): boolean;
}

/** A handle of a subject, as the ledger names both. */
export interface HandleLift {
  readonly subject: string;
  readonly handle: string;
}

type Erased = Extract<SubjectEvent, { readonly type: 'SubjectErased' }>['data'];

/** A name of a subject. It stays here when it is lifted: events before that are about the subject. */
interface Name {
  readonly subject: string;
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
  readonly id: Erased['id'];
  readonly handles: Map<string, number>;
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
  #tenures: ReadonlyMap<string, readonly OpenTenure[]> = new Map();
  #revision = -1n;
  #lastLift = -1n;

  constructor(marker: Marker) {
    this.#marker = marker;
  }

  get isEmpty(): boolean {
    return this.#names.size === 0 && this.#tenures.size === 0;
  }

  get revision(): bigint {
    return this.#revision;
  }

  has(platform: Platform, kind: NameKind, name: string): boolean {
    return this.#find(platform, kind, name) !== undefined;
  }

  maskOf(platform: Platform, kind: NameKind, name: string): string | null {
    return this.has(platform, kind, name) ? maskOf(this.#marker.digest(platform, kind, name)) : null;
  }

  subjectOf(platform: Platform, kind: NameKind, name: string): string | null {
    return this.#find(platform, kind, name) ?? null;
  }

  liftOf(platform: Platform, handle: string): HandleLift | null {
    return this.#lift(platform, handle, this.#find(platform, 'handle', handle));
  }

  asOf(position: bigint): Names {
    if (position >= this.#lastLift) return this;
    const find = (platform: Platform, kind: NameKind, name: string) =>
      this.#find(platform, kind, name, position);
    return {
      has: (...name) => find(...name) !== undefined,
      maskOf: (...name) => (find(...name) === undefined ? null : maskOf(this.#marker.digest(...name))),
      subjectOf: (...name) => find(...name) ?? null,
      liftOf: (platform, handle) => this.#lift(platform, handle, find(platform, 'handle', handle)),
    };
  }

  isVoid({ stream, revision, position }: Pick<RecordedEvent, 'stream' | 'revision' | 'position'>): boolean {
    const at = Number(revision);
    if ((this.#tenures.get(stream) ?? NONE).some(({ from, through }) => from <= at && at <= through))
      return true;
    const begins = this.#begins.size === 0 ? undefined : this.#begins.get(this.#marker.streamHint(stream));
    const begin = begins?.get(this.#marker.streamDigest(stream));
    return begin !== undefined && at < begin.before && position < begin.at;
  }

  setTenures(tenures: readonly OpenTenure[]): void {
    this.#tenures = Map.groupBy(tenures, ({ stream }) => stream);
  }

  apply(event: RecordedEvent): void {
    this.#revision = event.revision;
    const { type, data } = event as unknown as SubjectEvent;
    if (type === 'SubjectErased') {
      const before = this.#subjects.get(data.subject);
      const handles = before?.handles ?? new Map<string, number>();
      this.#subjects.set(data.subject, { id: data.id, handles });
      const name = { subject: data.subject, liftedAt: null };
      if (data.id !== null) putHinted(this.#names, data.id, name);
      for (const mark of data.handles) {
        handles.set(mark.digest, mark.hint);
        putHinted(this.#names, mark, name);
      }
    } else if (type === 'SubjectHandleLifted') {
      const hint = this.#subjects.get(data.subject)?.handles.get(data.handle);
      if (hint !== undefined) this.#liftName({ digest: data.handle, hint }, event.position);
    } else if (type === 'SubjectLifted') {
      const subject = this.#subjects.get(data.subject);
      if (subject?.id != null) this.#liftName(subject.id, event.position);
      for (const [digest, hint] of subject?.handles ?? []) this.#liftName({ digest, hint }, event.position);
    } else if (type === 'SubjectStreamsTruncated') {
      for (const { before, ...mark } of data.streams)
        putHinted(this.#begins, mark, { before, at: event.position });
    }
  }

  /** The subject that has a name, now or at a position. */
  #find(platform: Platform, kind: NameKind, name: string, at?: bigint): string | undefined {
    const digests = this.#names.get(this.#marker.hint(platform, kind, name));
    const found = digests?.get(this.#marker.digest(platform, kind, name));
    if (found === undefined) return undefined;
    const { subject, liftedAt } = found;
    return liftedAt === null || (at !== undefined && at < liftedAt) ? subject : undefined;
  }

  #lift(platform: Platform, handle: string, subject: string | undefined): HandleLift | null {
    if (subject === undefined || this.#subjects.get(subject)?.id == null) return null;
    return { subject, handle: this.#marker.digest(platform, 'handle', handle) };
  }

  #liftName(mark: Mark, position: bigint): void {
    const name = this.#names.get(mark.hint)?.get(mark.digest);
    if (name?.liftedAt !== null) return;
    putHinted(this.#names, mark, { ...name, liftedAt: position });
    this.#lastLift = position;
  }
}

/** Nothing was erased. */
export const NOTHING_ERASED: Fence = {
  isEmpty: true,
  revision: -1n,
  has: () => false,
  maskOf: () => null,
  subjectOf: () => null,
  liftOf: () => null,
  asOf: () => NOTHING_ERASED,
  isVoid: () => false,
};
