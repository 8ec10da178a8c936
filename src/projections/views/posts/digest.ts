import { isoOf } from '../../../kernel/clock.ts';
import { FIGURES, type Figures, type Post, perFigure, type Span } from '../../../write/accounts/post.ts';

/**
 * Writes numbers and text into a buffer that grows. Integers up to 2^53 take seven bits a byte, lowest first
 * (LEB128).
 */
class ByteWriter {
  #bytes = Buffer.allocUnsafe(4_096);
  #length = 0;

  #grow(by: number): void {
    if (this.#length + by <= this.#bytes.length) return;
    const bytes = Buffer.allocUnsafe(2 * (this.#bytes.length + by));
    this.#bytes.copy(bytes, 0, 0, this.#length);
    this.#bytes = bytes;
  }

  byte(value: number): void {
    this.#grow(1);
    this.#bytes[this.#length++] = value;
  }

  uint32(value: number): void {
    this.#grow(4);
    this.#length = this.#bytes.writeUInt32LE(value, this.#length);
  }

  /** A non-negative integer. */
  integer(value: number): void {
    this.#grow(8);
    let rest = value;
    // Bit operations are of 32 bits only.
    while (rest >= 0x80) {
      this.#bytes[this.#length++] = (rest % 0x80) + 0x80;
      rest = Math.floor(rest / 0x80);
    }
    this.#bytes[this.#length++] = rest;
  }

  /** An integer of either sign (zigzag). */
  signed(value: number): void {
    this.integer(value < 0 ? -2 * value - 1 : 2 * value);
  }

  /** A non-negative integer, or null. */
  nullable(value: number | null): void {
    this.integer(value === null ? 0 : value + 1);
  }

  /** UTF-8, after its length. */
  text(value: string): void {
    const size = Buffer.byteLength(value);
    this.integer(size);
    this.#grow(size);
    this.#length += this.#bytes.write(value, this.#length);
  }

  /** What was written, copied; the writer is empty afterwards. */
  take(): Buffer {
    const taken = Buffer.from(this.#bytes.subarray(0, this.#length));
    this.#length = 0;
    return taken;
  }
}

/** Reads what `ByteWriter` wrote, in the same order. */
class ByteReader {
  readonly #bytes: Buffer;
  #at = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  /** @throws {RangeError} at the end. */
  byte(): number {
    const value = this.#bytes[this.#at++];
    if (value === undefined) throw new RangeError('the packed row ends early');
    return value;
  }

  uint32(): number {
    const value = this.#bytes.readUInt32LE(this.#at);
    this.#at += 4;
    return value;
  }

  integer(): number {
    let value = 0;
    for (let scale = 1; ; scale *= 0x80) {
      const byte = this.byte();
      value += (byte & 0x7f) * scale;
      if (byte < 0x80) return value;
    }
  }

  signed(): number {
    const value = this.integer();
    return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
  }

  nullable(): number | null {
    const value = this.integer();
    return value === 0 ? null : value - 1;
  }

  text(): string {
    const size = this.integer();
    const end = this.#at + size;
    if (end > this.#bytes.length) throw new RangeError('the packed row ends early');
    const value = this.#bytes.toString('utf8', this.#at, end);
    this.#at = end;
    return value;
  }
}

/** What formulas and decisions need of a post. Times are in milliseconds since 1970; null is unknown, never 0. */
export interface DigestPost extends Figures {
  readonly id: string;
  readonly atMs: number | null;
  readonly kind: Post['kind'];
  readonly media: Post['media'];
  /** The reading that showed the oldest of its figures. */
  readonly observedMs: number;
  /** Followers of the account, within a bin, at the reading that first showed the post: the nearest to its publication. */
  readonly followers: number | null;
  /** Whether a surface listed it that sorts by time; otherwise the platform may have selected it. */
  readonly isOrdered: boolean;
  /** Hash of the text, and its length in UTF-16 code units. */
  readonly textHash: number | null;
  readonly length: number | null;
  /** Numbers of hashtags, links and mentions. */
  readonly hashtags: number | null;
  readonly links: number | null;
  readonly mentions: number | null;
}

/** The newest posts of an account, in the order in which they were recorded. */
export interface Digest {
  readonly posts: readonly DigestPost[];
  /** The time for which every post is recorded. */
  readonly span: Span | null;
}

const FORMAT = 2;
const KINDS = ['original', 'reply', 'repost', 'quote'] as const;
const MEDIA = ['none', 'photo', 'video', 'link', 'other', null] as const;

/** Flags of the header. */
const HAS_SPAN = 1;
const SPAN_FROM = 2;
const WHOLE_SECONDS = 4;

/** Flags of a post beside its kind (2 bits) and media (3 bits). */
const HAS_TIME = 32;
const ORDERED = 64;
const TAGGED = 128;
/** After one bit for each figure. */
const HAS_TEXT = 32;
const HAS_FOLLOWERS = 64;
/** Those of the post before: a reading shows many posts. */
const SAME_FOLLOWERS = 128;

const NINE_DIGITS = 1_000_000_000;
const DECIMAL = /^(?:0|[1-9]\d{0,23})$/;

/** Platforms number their posts, in up to 19 digits: two integers take half the room of the text. */
const writeId = (out: ByteWriter, id: string): void => {
  if (!DECIMAL.test(id)) {
    out.text(id);
    return;
  }
  // No text is empty: a length of 0 marks a number.
  out.integer(0);
  out.integer(id.length > 9 ? Number(id.slice(0, -9)) : 0);
  out.integer(Number(id.slice(-9)));
};

const readId = (bytes: ByteReader): string => {
  const text = bytes.text();
  if (text !== '') return text;
  const high = bytes.integer();
  const low = bytes.integer();
  return high === 0 ? String(low) : `${high}${String(NINE_DIGITS + low).slice(1)}`;
};

const writer = new ByteWriter();

/** Numbers of a post are written as differences from those of the post before. */
interface Previous {
  atMs: number;
  followers: number;
}

/**
 * Packs a digest into about 30 bytes a post.
 * Decision: `docs/adr/0010-posts-in-digests.md`.
 */
export const encodeDigest = ({ posts, span }: Digest): Buffer => {
  const out = writer;
  const isWhole = posts.every(({ atMs }) => atMs === null || atMs % 1_000 === 0);
  out.byte(FORMAT);
  out.byte(
    (span === null ? 0 : HAS_SPAN) |
      (span === null || span.from === null ? 0 : SPAN_FROM) |
      (isWhole ? WHOLE_SECONDS : 0),
  );
  if (span !== null) {
    const toMs = Date.parse(span.to);
    out.integer(toMs);
    if (span.from !== null) out.signed(toMs - Date.parse(span.from));
  }
  // A reading shows many posts: its time is written once.
  const readings = new Set(posts.map(({ observedMs }) => observedMs));
  out.integer(readings.size);
  let before = 0;
  for (const time of readings) {
    out.signed(time - before);
    before = time;
  }
  const readingOf = new Map([...readings].map((time, n) => [time, n]));
  const previous: Previous = { atMs: 0, followers: 0 };
  out.integer(posts.length);
  for (const post of posts)
    writePost(out, post, readingOf.get(post.observedMs) as number, isWhole ? 1_000 : 1, previous);
  return out.take();
};

/** @param reading number of the reading that showed the post. @param unit of times, in milliseconds. */
const writePost = (
  out: ByteWriter,
  post: DigestPost,
  reading: number,
  unit: number,
  previous: Previous,
): void => {
  const isSame = post.followers === previous.followers;
  const isTagged = post.hashtags !== null || post.links !== null || post.mentions !== null;
  out.byte(
    KINDS.indexOf(post.kind) |
      (MEDIA.indexOf(post.media) << 2) |
      (post.atMs === null ? 0 : HAS_TIME) |
      (post.isOrdered ? ORDERED : 0) |
      (isTagged ? TAGGED : 0),
  );
  out.byte(shownFlags(post) | (isSame ? SAME_FOLLOWERS : 0));
  writeId(out, post.id);
  if (post.atMs !== null) {
    out.signed((post.atMs - previous.atMs) / unit);
    previous.atMs = post.atMs;
  }
  out.integer(reading);
  if (post.followers !== null && !isSame) {
    out.integer(post.followers);
    previous.followers = post.followers;
  }
  for (const figure of FIGURES) {
    const value = post[figure];
    if (value !== null) out.integer(value);
  }
  if (post.textHash !== null) {
    out.uint32(post.textHash);
    out.integer(post.length ?? 0);
  }
  if (isTagged) {
    out.nullable(post.hashtags);
    out.nullable(post.links);
    out.nullable(post.mentions);
  }
};

/** The second byte of a post: which of its values are known. */
const shownFlags = (post: DigestPost): number => {
  let flags = (post.textHash === null ? 0 : HAS_TEXT) | (post.followers === null ? 0 : HAS_FOLLOWERS);
  for (let i = 0; i < FIGURES.length; i++) if (post[FIGURES[i] as keyof Figures] !== null) flags |= 1 << i;
  return flags;
};

const readSpan = (bytes: ByteReader, flags: number): Digest['span'] => {
  if ((flags & HAS_SPAN) === 0) return null;
  const toMs = bytes.integer();
  return { from: (flags & SPAN_FROM) === 0 ? null : isoOf(toMs - bytes.signed()), to: isoOf(toMs) };
};

/**
 * Unpacks a digest.
 * @throws {RangeError} for bytes that `encodeDigest` did not write.
 */
export const decodeDigest = (packed: Buffer): Digest => {
  const bytes = new ByteReader(packed);
  const format = bytes.byte();
  if (format !== FORMAT) throw new RangeError(`a digest of format ${format} is not known`);
  const flags = bytes.byte();
  const span = readSpan(bytes, flags);
  const readings: number[] = [];
  for (let n = bytes.integer(); n > 0; n--) readings.push((readings.at(-1) ?? 0) + bytes.signed());
  const unit = (flags & WHOLE_SECONDS) === 0 ? 1 : 1_000;
  const previous: Previous = { atMs: 0, followers: 0 };
  const posts: DigestPost[] = [];
  for (let n = bytes.integer(); n > 0; n--) posts.push(readPost(bytes, readings, unit, previous));
  return { posts, span };
};

/** Reads what `writePost` wrote. Each value takes the next bytes, so their order is that of the packed post. */
const readPost = (
  bytes: ByteReader,
  readings: readonly number[],
  unit: number,
  previous: Previous,
): DigestPost => {
  const traits = bytes.byte();
  const shown = bytes.byte();
  const id = readId(bytes);
  const hasTime = (traits & HAS_TIME) !== 0;
  if (hasTime) previous.atMs += bytes.signed() * unit;
  const observedMs = readings[bytes.integer()];
  if (observedMs === undefined) throw new RangeError('a digest names a reading that it does not list');
  const hasFollowers = (shown & HAS_FOLLOWERS) !== 0;
  if (hasFollowers && (shown & SAME_FOLLOWERS) === 0) previous.followers = bytes.integer();
  const figures = perFigure((figure) =>
    (shown & (1 << FIGURES.indexOf(figure))) === 0 ? null : bytes.integer(),
  );
  const hasText = (shown & HAS_TEXT) !== 0;
  const textHash = hasText ? bytes.uint32() : null;
  const length = hasText ? bytes.integer() : null;
  const isTagged = (traits & TAGGED) !== 0;
  return {
    id,
    atMs: hasTime ? previous.atMs : null,
    kind: KINDS[traits & 3] as Post['kind'],
    media: MEDIA[(traits >> 2) & 7] ?? null,
    observedMs,
    followers: hasFollowers ? previous.followers : null,
    isOrdered: (traits & ORDERED) !== 0,
    ...figures,
    textHash,
    length,
    hashtags: isTagged ? bytes.nullable() : null,
    links: isTagged ? bytes.nullable() : null,
    mentions: isTagged ? bytes.nullable() : null,
  };
};

/** SQL that reads a digest as `decodeDigest` does: functions of the build, for those who analyse it. */
export const digestFunctions = (schema: string): string => `
create function ${schema}.packed_integer(packed bytea, inout next integer, out value bigint)
language plpgsql immutable as $$
declare shift integer := 0; part integer;
begin
  value := 0;
  loop
    part := get_byte(packed, next);
    next := next + 1;
    value := value | ((part & 127)::bigint << shift);
    exit when part < 128;
    shift := shift + 7;
  end loop;
end $$;
create function ${schema}.digest_posts(packed bytea)
returns table (id text, at timestamptz, kind text, media text, observed_at timestamptz, is_ordered boolean, followers bigint,
  likes bigint, replies bigint, reposts bigint, quotes bigint, views bigint, length integer, hashtags integer, links integer,
  mentions integer)
language plpgsql immutable as $$
declare
  flags integer := get_byte(packed, 1);
  next integer := 2;
  part bigint; low bigint; first integer; shown integer; times bigint[] := '{}'; last_ms bigint := 0; last_followers bigint := 0;
  figures bigint[]; counts integer[];
begin
  if get_byte(packed, 0) <> ${FORMAT} then raise exception 'a digest of format % is not known', get_byte(packed, 0); end if;
  if flags & ${HAS_SPAN} > 0 then select p.next into next from ${schema}.packed_integer(packed, next) p; end if;
  if flags & ${SPAN_FROM} > 0 then select p.next into next from ${schema}.packed_integer(packed, next) p; end if;
  select * into next, low from ${schema}.packed_integer(packed, next);
  for i in 1..low loop
    select * into next, part from ${schema}.packed_integer(packed, next);
    times[i] := coalesce(times[i - 1], 0) + ((part >> 1) # -(part & 1));
  end loop;
  select * into next, low from ${schema}.packed_integer(packed, next);
  for i in 1..low loop
    first := get_byte(packed, next);
    shown := get_byte(packed, next + 1);
    select * into next, part from ${schema}.packed_integer(packed, next + 2);
    if part > 0 then
      id := convert_from(substring(packed from next + 1 for part::integer), 'UTF8');
      next := next + part::integer;
    else
      select * into next, part from ${schema}.packed_integer(packed, next);
      id := nullif(part, 0)::text;
      select * into next, part from ${schema}.packed_integer(packed, next);
      id := case when id is null then part::text else id || lpad(part::text, 9, '0') end;
    end if;
    at := null;
    if first & ${HAS_TIME} > 0 then
      select * into next, part from ${schema}.packed_integer(packed, next);
      last_ms := last_ms + ((part >> 1) # -(part & 1)) * case when flags & ${WHOLE_SECONDS} > 0 then 1000 else 1 end;
      at := 'epoch'::timestamptz + last_ms * interval '1 ms';
    end if;
    select * into next, part from ${schema}.packed_integer(packed, next);
    observed_at := 'epoch'::timestamptz + times[part + 1] * interval '1 ms';
    if shown & ${HAS_FOLLOWERS | SAME_FOLLOWERS} = ${HAS_FOLLOWERS} then
      select * into next, last_followers from ${schema}.packed_integer(packed, next);
    end if;
    followers := case when shown & ${HAS_FOLLOWERS} > 0 then last_followers end;
    figures := '{}';
    for n in 1..${FIGURES.length} loop
      if shown & (1 << (n - 1)) > 0 then
        select * into next, part from ${schema}.packed_integer(packed, next);
        figures[n] := part;
      end if;
    end loop;
    length := null;
    if shown & ${HAS_TEXT} > 0 then select * into next, length from ${schema}.packed_integer(packed, next + 4); end if;
    counts := '{}';
    if first & ${TAGGED} > 0 then
      for n in 1..3 loop
        select * into next, part from ${schema}.packed_integer(packed, next);
        counts[n] := nullif(part, 0) - 1;
      end loop;
    end if;
    kind := ('{${KINDS.join()}}'::text[])[1 + (first & 3)];
    media := ('{${MEDIA.filter((one) => one !== null).join()}}'::text[])[1 + ((first >> 2) & 7)];
    is_ordered := first & ${ORDERED} > 0;
    likes := figures[1]; replies := figures[2]; reposts := figures[3]; quotes := figures[4]; views := figures[5];
    hashtags := counts[1]; links := counts[2]; mentions := counts[3];
    return next;
  end loop;
end $$;
`;
