import type { Figures, Post } from '../../../write/accounts/post.ts';

/** Posts a chunk holds before it is split. */
export const CHUNK_POSTS = 50;

/** Figures of a post that left the digest, as they were then. */
export interface FrozenFigures extends Figures {
  readonly observedMs: number;
  /** Whether a surface listed it that sorts by time. */
  readonly isOrdered: boolean;
}

/** What is stored of a post beside its figures. */
export interface Content
  extends Pick<
    Post,
    | 'id'
    | 'kind'
    | 'media'
    | 'url'
    | 'text'
    | 'lang'
    | 'hashtags'
    | 'links'
    | 'mentions'
    | 'reply_to'
    | 'target'
  > {
  readonly atMs: number | null;
  readonly frozen: FrozenFigures | null;
}

const TIME_DIGITS = 12;

/** Sorts posts from oldest to newest: those without a time come first, those of equal times by ID. */
export const keyOf = (atMs: number | null, id: string): string =>
  atMs === null ? `-${id}` : `${timeKey(atMs)}${id}`;

/** Sorts before the key of every post of that time or later. */
export const timeKey = (atMs: number): string => atMs.toString(16).padStart(TIME_DIGITS, '0');

/** Whether a key is of a post without a time. */
export const isUndated = (key: string): boolean => key.startsWith('-');

/** A post as it is stored: what is null is left out. */
export type StoredContent = Pick<Content, 'id' | 'kind'> & Partial<Content>;

const EMPTY: Omit<Content, 'id' | 'kind'> = {
  atMs: null,
  url: null,
  media: null,
  text: null,
  lang: null,
  hashtags: null,
  links: null,
  mentions: null,
  reply_to: null,
  target: null,
  frozen: null,
};

export const storedOf = (content: Content): StoredContent =>
  Object.fromEntries(Object.entries(content).filter(([, value]) => value !== null)) as StoredContent;

export const contentOf = (stored: StoredContent): Content => ({ ...EMPTY, ...stored });
