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

export interface Fence {
  /** Whether nothing was erased: nothing needs to be asked. */
  readonly isEmpty: boolean;
  /** Revision of the last event of the ledger that it knows; -1 before the first. */
  readonly revision: bigint;
  has(platform: Platform, kind: NameKind, name: string): boolean;
  /** What stands in place of an erased name; null if it is not erased. */
  maskOf(platform: Platform, kind: NameKind, name: string): string | null;
  /** The digest of the subject that has the name; null if none has. */
  subjectOf(platform: Platform, kind: NameKind, name: string): string | null;
  /** What lifts an erased handle; null if it is not erased, or if nobody knows the ID that tells its subject from later owners. */
  liftOf(platform: Platform, handle: string): HandleLift | null;
  /** Whether an event is in an open tenure. */
  isInOpenTenure(event: Pick<RecordedEvent, 'stream' | 'revision'>): boolean;
}

/** A handle of a subject, as the ledger names both. */
export interface HandleLift {
  readonly subject: string;
  readonly handle: string;
}

type Erased = Extract<SubjectEvent, { readonly type: 'SubjectErased' }>['data'];

interface Subject {
  readonly id: Erased['id'];
  readonly handles: Map<string, number>;
}

const NONE: readonly OpenTenure[] = [];

/** What the ledger says, folded from its events. */
export class Ledger implements Fence {
  readonly #marker: Marker;
  readonly #subjects = new Map<string, Subject>();
  /** Digests by hint. Nearly every name that is asked for has a hint that no subject has. */
  readonly #hints = new Map<number, Map<string, string>>();
  #tenures: ReadonlyMap<string, readonly OpenTenure[]> = new Map();
  #revision = -1n;

  constructor(marker: Marker) {
    this.#marker = marker;
  }

  get isEmpty(): boolean {
    return this.#hints.size === 0 && this.#tenures.size === 0;
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

  isInOpenTenure({ stream, revision }: Pick<RecordedEvent, 'stream' | 'revision'>): boolean {
    const at = Number(revision);
    return (this.#tenures.get(stream) ?? NONE).some(({ from, through }) => from <= at && at <= through);
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
      if (data.id !== null) this.#add(data.id, data.subject);
      for (const mark of data.handles) {
        handles.set(mark.digest, mark.hint);
        this.#add(mark, data.subject);
      }
    } else if (type === 'SubjectHandleLifted') {
      const hint = this.#subjects.get(data.subject)?.handles.get(data.handle);
      this.#subjects.get(data.subject)?.handles.delete(data.handle);
      if (hint !== undefined) this.#remove({ digest: data.handle, hint });
    } else if (type === 'SubjectLifted') {
      const subject = this.#subjects.get(data.subject);
      this.#subjects.delete(data.subject);
      if (subject?.id != null) this.#remove(subject.id);
      for (const [digest, hint] of subject?.handles ?? []) this.#remove({ digest, hint });
    }
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

/** Nothing was erased. */
export const NOTHING_ERASED: Fence = {
  isEmpty: true,
  revision: -1n,
  has: () => false,
  maskOf: () => null,
  subjectOf: () => null,
  liftOf: () => null,
  isInOpenTenure: () => false,
};
