import type { PlatformAdapter } from '../../crawlers/platforms/adapter.ts';
import { OperatorError } from '../../kernel/errors.ts';
import { PLATFORMS, type Platform, platformSchema } from '../../kernel/platform.ts';

/** @throws {OperatorError} `platform_unknown` */
export const parsePlatform = (name: string): Platform => {
  const platform = platformSchema.safeParse(name.toLowerCase());
  if (platform.success) return platform.data;
  throw new OperatorError(
    'platform_unknown',
    `"${name}" is no platform. The platforms are: ${PLATFORMS.join(', ')}`,
  );
};

/** Handles in normal form. @throws {OperatorError} `handle_invalid` where the platform's grammar refuses one. */
export const parseHandles = (adapter: PlatformAdapter, names: readonly string[]): readonly string[] =>
  names.map((name) => {
    const handle = adapter.parseHandle(name);
    if (handle !== null) return handle;
    throw new OperatorError(
      'handle_invalid',
      `"${name}" is no handle of ${adapter.name}, which look like ${adapter.handlePattern}`,
    );
  });
