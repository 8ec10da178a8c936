import type { Platform } from '../../kernel/platform.ts';

/** A YouTube channel ID. */
export const CHANNEL_ID = /^UC[A-Za-z0-9_-]{22}$/;

/** A decentralized identifier of a method that Bluesky accounts use. */
export const DID = /^did:(?:plc:[a-z2-7]{24}|web:[a-zA-Z0-9.-]{1,253}(?:%3A\d{1,5})?)$/;

const NATIVE_ID: Partial<Record<Platform, RegExp>> = { youtube: CHANNEL_ID, bluesky: DID };

/**
 * The handle in the name of an account's stream, which profiles in events also use. An account without a handle (a
 * YouTube channel that never chose one, a Bluesky account whose domain no longer resolves) is named by its native
 * ID there, and its handle is null.
 */
export const handleIn = (platform: Platform, name: string): string | null =>
  NATIVE_ID[platform]?.test(name) === true ? null : name;

/** Whether an account that is known by its ID alone has a stream: where IDs name those of accounts without a handle. */
export const hasStream = (platform: Platform, id: string): boolean => handleIn(platform, id) === null;
