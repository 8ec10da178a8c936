import type { Profile } from './reading.ts';

/** Fields of a profile that a surface may or may not show. */
const PROFILE_FIELDS = [
  'id',
  'display_name',
  'followers',
  'following',
  'posts',
  'verified',
  'created_at',
  'bio',
  'avatar_url',
  'location',
  'links',
] as const satisfies readonly (keyof Profile)[];

/** What a surface may or may not show of an account: profile fields, and whether it is private. */
export const MEASURABLE = [...PROFILE_FIELDS, 'private'] as const;

export type Measurable = (typeof MEASURABLE)[number];

type Field = (typeof PROFILE_FIELDS)[number];

const lacks = (profile: Profile, field: Field): boolean =>
  field === 'links' ? profile.links.length === 0 : profile[field] === null;

/** Whether a profile has no field but its handle. */
export const isEmpty = (profile: Profile): boolean => PROFILE_FIELDS.every((field) => lacks(profile, field));

/** Whether a profile lacks fields that its reading did not measure, so that known values may fill them. */
export const isPartial = (profile: Profile, measured: readonly Measurable[]): boolean =>
  !measured.includes('private') ||
  PROFILE_FIELDS.some((field) => lacks(profile, field) && !measured.includes(field));

/** Fills unmeasured fields with known values. Measured ones are kept, empty or not. */
export const mergedProfile = (known: Profile, found: Profile, measured: readonly Measurable[]): Profile => {
  const kept = PROFILE_FIELDS.filter((field) => lacks(found, field) && !measured.includes(field));
  return { ...found, ...Object.fromEntries(kept.map((field) => [field, known[field]])) };
};
