/** The platforms, as named in the API, streams and tables. */
export const PLATFORMS = ['x', 'instagram', 'tiktok', 'youtube', 'telegram', 'bluesky', 'linkedin'] as const;
