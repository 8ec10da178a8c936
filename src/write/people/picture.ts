/**
 * The part of a picture's address that names its content: platforms that store files by a hash of what they show
 * (as Bluesky's CIDs) use one address for one picture. Twenty letters of base 32; null if the address has none.
 */
const CONTENT = /(?:^|[/.~_]|bafkrei)([a-z2-7]{20})(?=[a-z2-7]*(?:[/.~_@?]|$))/;

/** Characters of it that are equal for crops of one picture. */
const MOTIF = 8;

export const pictureOf = (avatarUrl: string | null): string | null =>
  avatarUrl === null ? null : (CONTENT.exec(avatarUrl)?.[1] ?? null);

/** Whether two accounts show one picture, or crops of it. */
export const isOnePicture = (a: string | null, b: string | null): boolean =>
  a !== null && b !== null && a.slice(0, MOTIF) === b.slice(0, MOTIF);
