import { OperatorError } from '../kernel/errors.ts';
import { type Platform, platformSchema } from '../kernel/platform.ts';
import { accountOfUrl, descriptorOf } from '../platforms/index.ts';

/** An account as an operator names it. */
export interface AccountName {
  readonly platform: Platform;
  readonly kind: 'handle' | 'id';
  /** The normalized handle, or the native ID. */
  readonly name: string;
}

/**
 * `platform:handle`, `platform:id:<id>` or a profile URL.
 * @throws {OperatorError} `argument_invalid` for anything else.
 */
export const accountNamed = (text: string): AccountName => {
  const [first = '', ...rest] = text.split(':');
  const platform = platformSchema.safeParse(first.toLowerCase());
  if (platform.success) {
    const { parseHandle, parseId, isBareId } = descriptorOf(platform.data);
    const value = rest.join(':');
    const id = value.startsWith('id:') ? value.slice('id:'.length) : isBareId(value) ? value : null;
    const name = id === null ? parseHandle(value) : parseId(id);
    if (name !== null) return { platform: platform.data, kind: id === null ? 'handle' : 'id', name };
  } else if (URL.canParse(text)) {
    const found = accountOfUrl(new URL(text));
    if (found?.address.kind === 'handle')
      return { platform: found.platform, kind: 'handle', name: found.address.handle };
    if (found?.address.kind === 'id') return { platform: found.platform, kind: 'id', name: found.address.id };
  }
  throw new OperatorError(
    'argument_invalid',
    `"${text}" is no account; give platform:handle, platform:id:<id> or a profile URL`,
  );
};
