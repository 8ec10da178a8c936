import type { Platform } from '../../kernel/platform.ts';

/** A proxy that an operator configured. */
export interface ProxyServer {
  readonly name: string;
  /** `http://` or `https://` with host and port, without credentials. */
  readonly url: string;
  /** Value of the header `Proxy-Authorization`; null without credentials. */
  readonly authorization: string | null;
  /** Platforms that are read through it. */
  readonly platforms: readonly Platform[];
  /** Certificate authorities to trust for platforms instead of the public ones; for tests. */
  readonly ca?: string;
}
