import type { Platform } from '../../../kernel/platform.ts';

/** Rules for new names, where they are narrower than what the platform shows; for normalized handles. */
const RULES: Readonly<Partial<Record<Platform, RegExp>>> = {
  x: /^\w{1,15}$/,
  instagram: /^(?!\.)(?!.*\.\.)[\w.]{1,30}(?<!\.)$/,
  tiktok: /^.{2,24}$/,
  telegram: /^[a-z]\w{4,31}$/,
  linkedin: /^(?:company:.*|[\p{L}\p{M}\p{N}-]{3,100})$/u,
};

/** Whether a platform's rules allow to register a handle today: accounts may have others from before, or bought them. */
export const isRegistrable = (platform: Platform, handle: string): boolean =>
  RULES[platform]?.test(handle) ?? true;
