import { type ErrorDetail, ServiceError } from '../../kernel/errors/service-error.ts';
import type { Platform } from '../../kernel/platform.ts';
import type { AccountKey } from '../../read/accounts/lookups.ts';
import type { Services } from '../services.ts';

/** A handle that violates its platform's grammar, or an invalid ID. */
const badHandle = (path: string, name: string, pattern: string): ErrorDetail => ({
  path,
  message: `not a handle or id of ${name}: a handle is ${pattern}, an id is written id:<id>`,
});

/**
 * Parses an account reference in a path or body: a handle with or without `@`, `id:<native id>`, or an unambiguous
 * native ID.
 * @throws {ServiceError} `invalid_request` if it violates the platform's grammar.
 */
export const resolveAccountRef = (
  services: Pick<Services, 'adapterOf'>,
  platform: Platform,
  text: string,
  path: string,
): AccountKey => {
  const adapter = services.adapterOf(platform);
  const asId = text.startsWith('id:') ? text.slice(3) : adapter.isBareId(text) ? text : null;
  const value = asId === null ? adapter.parseHandle(text) : adapter.parseId(asId);
  if (value === null) {
    throw new ServiceError('invalid_request', `This is not a handle or id of ${adapter.name}.`, {
      details: [badHandle(path, adapter.name, adapter.handlePattern)],
    });
  }
  return { platform, by: asId === null ? 'handle' : 'id', value };
};
