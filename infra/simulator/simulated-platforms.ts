import { z } from 'zod';
import type { Platform as AnyPlatform } from '../../src/kernel/platform.ts';

/** Platforms that the simulator has a site of. Others are tested by recorded pages. */
export const PLATFORMS = [
  'x',
  'instagram',
  'tiktok',
  'youtube',
  'telegram',
  'bluesky',
  'linkedin',
] as const satisfies readonly AnyPlatform[];

export type Platform = (typeof PLATFORMS)[number];

/** Whether the simulator has a site of a platform. */
export const isSimulated = (platform: string): platform is Platform =>
  PLATFORMS.some((each) => each === platform);

export const platformSchema = z.enum(PLATFORMS);
