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

/** Accounts that are refused. */
export interface Refused {
  has(platform: Platform, kind: NameKind, name: string): boolean;
  /** What stands in place of an erased name; null if it is not erased. */
  maskOf(platform: Platform, kind: NameKind, name: string): string | null;
  /** What lifts an erased handle; null if it is not erased, or if nobody knows the ID that tells its subject from later owners. */
  liftOf(platform: Platform, handle: string): HandleLift | null;
  /** Whether an event is in an open tenure. */
  isInOpenTenure(event: Pick<RecordedEvent, 'stream' | 'revision'>): boolean;
}

export interface Fence extends Refused {
  /** Whether nothing was erased: nothing needs to be asked. */
  readonly isEmpty: boolean;
  /** Revision of the last event of the ledger that it knows; -1 before the first. */
  readonly revision: bigint;
  /** Those alone that the log forgets, and not those that are suppressed. */
  readonly erased: Refused;
  /** The digest of the subject that has the name; null if none has. */
  subjectOf(platform: Platform, kind: NameKind, name: string): string | null;
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

/** What the ledger says, folded from its events. */
export class Ledger implements Fence {
  readonly #marker: Marker;
  readonly #subjects = new Map<string, Subject>();
  /** Digests by hint. Nearly every name that is asked for has a hint that no subject has. */
  readonly #hints = new Map<number, Map<string, string>>();
  /** Positions from which on events may void what subjects have. */
  readonly #since = new Map<string, bigint>();
  readonly #undone = new Map<string, Undone[]>();
  #tenures: ReadonlyMap<string, readonly OpenTenure[]> = new Map();
  readonly erased: Refused = {
    has: (...name) => this.#isErased(this.#find(...name)),
    maskOf: (...name) => (this.erased.has(...name) ? this.maskOf(...name) : null),
    liftOf: (platform, handle) =>
      this.erased.has(platform, 'handle', handle) ? this.liftOf(platform, handle) : null,
    isInOpenTenure: (event) => this.#tenuresAt(event).some(({ subject }) => this.#isErased(subject)),
  };
  #revision = -1n;

  constructor(marker: Marker) {
    this.#marker = marker;
  }

  get isEmpty(): boolean {
    return this.#hints.size === 0 && this.#tenures.size === 0 && this.#undone.size === 0;
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
    const subject = this.#find(platform, 'handle', handle);
    if (subject === undefined || this.#subjects.get(subject)?.id == null) return null;
    return { subject, handle: this.#marker.digest(platform, 'handle', handle) };
  }

  isInOpenTenure(event: Pick<RecordedEvent, 'stream' | 'revision'>): boolean {
    return this.#tenuresAt(event).length > 0;
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
      this.#refuse(data.subject, {
        ...data,
        isErased: type === 'SubjectErased',
        due: type === 'SubjectErased' ? null : data.due,
      });
      if (!this.#since.has(data.subject)) this.#since.set(data.subject, event.position);
    } else if (type === 'SubjectHandleLifted') {
      const hint = this.#subjects.get(data.subject)?.handles.get(data.handle);
      this.#subjects.get(data.subject)?.handles.delete(data.handle);
      if (hint !== undefined) this.#remove({ digest: data.handle, hint });
    } else if (type === 'SubjectLifted' || type === 'SubjectReleased') {
      const subject = this.#subjects.get(data.subject);
      if (type === 'SubjectLifted') this.#since.delete(data.subject);
      this.#subjects.delete(data.subject);
      if (subject?.id != null) this.#remove(subject.id);
      for (const [digest, hint] of subject?.handles ?? []) this.#remove({ digest, hint });
    } else if (type === 'SubjectShown') {
      const from = this.#since.get(data.subject);
      this.#since.delete(data.subject);
      if (from === undefined) return;
      const undone = { from, through: event.position };
      this.#undone.set(data.subject, [...(this.#undone.get(data.subject) ?? []), undone]);
    }
  }

  #refuse(subject: string, { id, handles: marks, isErased, due }: LedgerEntry): void {
    const handles = this.#subjects.get(subject)?.handles ?? new Map<string, number>();
    this.#subjects.set(subject, { id, handles, isErased, due });
    if (id !== null) this.#add(id, subject);
    for (const mark of marks) {
      handles.set(mark.digest, mark.hint);
      this.#add(mark, subject);
    }
  }

  #tenuresAt({ stream, revision }: Pick<RecordedEvent, 'stream' | 'revision'>): readonly OpenTenure[] {
    const at = Number(revision);
    return (this.#tenures.get(stream) ?? NONE).filter(({ from, through }) => from <= at && at <= through);
  }

  #isErased(subject: string | undefined): boolean {
    return subject !== undefined && this.#subjects.get(subject)?.isErased === true;
  }

  #find(platform: Platform, kind: NameKind, name: string): string | undefined {
    const digests = this.#hints.get(this.#marker.hint(platform, kind, name));
    return digests?.get(this.#marker.digest(platform, kind, name));
  }

  #add({ digest, hint }: Mark, subject: string): void {
    const digests = this.#hints.get(hint) ?? new Map<string, string>();
    this.#hints.set(hint, digests.set(digest, subject));
  }

  #remove({ digest, hint }: Mark): void {
    const digests = this.#hints.get(hint);
    digests?.delete(digest);
    if (digests?.size === 0) this.#hints.delete(hint);
  }
}

const NOBODY: Refused = {
  has: () => false,
  maskOf: () => null,
  liftOf: () => null,
  isInOpenTenure: () => false,
};

/** Nothing was erased. */
export const NOTHING_ERASED: Fence = {
  ...NOBODY,
  isEmpty: true,
  revision: -1n,
  erased: NOBODY,
  subjectOf: () => null,
  entryOf: () => null,
  isUndone: () => false,
};
