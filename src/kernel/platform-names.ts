/** The seven platforms, by the names that the API, streams and tables use. */
export const PLATFORMS = ['x', 'instagram', 'tiktok', 'youtube', 'telegram', 'bluesky', 'linkedin'] as const;
