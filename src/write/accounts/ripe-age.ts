import type { Platform } from '../../kernel/platform.ts';

const HOUR_MS = 3_600_000;

/**
 * Hours after which nearly all of a post's engagement is there. Published half-lives: X 80 minutes, 95 % of impressions
 * within a day (Pfeffer, Matter and Sargsyan, "The half-life of a tweet", ICWSM 2023); Instagram 20 hours, LinkedIn 24
 * hours, YouTube 8.8 days (Graffius, "Lifespan (half-life) of social media posts", 2018 to 2022). A post is ripe after
 * at least ten of them; on X after three days, because posts of large accounts come up again. Half-lives of TikTok,
 * Telegram and Bluesky are not published: TikTok is taken as Instagram, Bluesky as X, Telegram lies between them.
 */
const RIPE_HOURS: Readonly<Record<Platform, number>> = {
  x: 72,
  bluesky: 72,
  telegram: 168,
  instagram: 336,
  linkedin: 336,
  tiktok: 336,
  youtube: 2_160,
};

/** Age from which the figures of a post are final, as far as medians are concerned. */
export const ripeMsOf = (platform: Platform): number => RIPE_HOURS[platform] * HOUR_MS;
