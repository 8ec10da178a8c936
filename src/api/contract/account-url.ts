import { ServiceError } from '../../kernel/errors.ts';
import { platformSchema } from '../../kernel/platform.ts';
import { accountOfUrl, indirectUrlOf, platformNames } from '../../platforms/index.ts';
import type { Services } from '../services.ts';
import { type AccountRef, parseAccountRef } from './account-ref.ts';

const refuse = (message: string): ServiceError =>
  new ServiceError('invalid_request', message, { details: [{ path: 'query.url', message }] });

const urlOf = (text: string): URL | null => {
  const address = /^https?:\/\//i.test(text) ? text : `https://${text}`;
  return URL.canParse(address) ? new URL(address) : null;
};

/** A profile URL, with or without `https://`, whose account only its platform knows; null for any other text. */
export const indirectUrlIn = (text: string): ReturnType<typeof indirectUrlOf> => {
  const url = urlOf(text);
  return url === null ? null : indirectUrlOf(url);
};

/**
 * Parses `platform:handle`, or a profile URL with or without `https://`.
 * @throws {ServiceError} `invalid_request` if it is neither.
 */
export const accountOfText = (services: Pick<Services, 'adapterOf'>, text: string): AccountRef => {
  const colon = text.indexOf(':');
  const platform = platformSchema.safeParse(text.slice(0, Math.max(0, colon)).toLowerCase());
  if (platform.success) return parseAccountRef(services, platform.data, text.slice(colon + 1), 'query.url');
  const url = urlOf(text);
  if (url === null) throw refuse('This is neither a profile URL nor `platform:handle`.');
  const found = accountOfUrl(url);
  if (found !== null) {
    const { platform: name, address: named } = found;
    const path = 'query.url';
    return named.kind === 'id'
      ? { platform: name, handle: null, id: named.id, path }
      : { platform: name, handle: named.handle, id: null, path };
  }
  throw refuse(
    indirectUrlOf(url) === null
      ? `This URL is no profile of ${platformNames()}.`
      : 'Its platform alone knows which account this URL names: ask GET /v2/accounts/resolve?url=… first, and use the handle that it answers.',
  );
};
