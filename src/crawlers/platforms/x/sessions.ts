import { z } from 'zod';
import type { Page } from '../../http/port.ts';
import type { SessionGrammar } from '../adapter.ts';
import { at, listAt, parseJson } from '../shared/json-access.ts';
import { userRequest, type XOperations } from './operations.ts';

const token = (max: number) =>
  z.string().regex(new RegExp(`^[\\x21-\\x3a\\x3c-\\x7e]{1,${max}}$`), 'without spaces and semicolons');

/** A bearer token with a guest token, or with the cookies of a logged-in account. */
const credentials = z
  .strictObject({
    bearer_token: token(1_000),
    guest_token: token(200).optional(),
    auth_token: token(200).optional(),
    /** The CSRF token, which is a cookie as well. */
    ct0: token(500).optional(),
  })
  .refine(({ guest_token, auth_token }) => (guest_token === undefined) !== (auth_token === undefined), {
    error: 'either guest_token, or auth_token and ct0 of a logged-in account',
  })
  .refine(({ auth_token, ct0 }) => (auth_token === undefined) === (ct0 === undefined), {
    error: 'auth_token and ct0 belong together',
  });

/** Error codes of X that reject the session itself. */
const REJECTED: ReadonlySet<number> = new Set([32, 37, 64, 89, 215, 239, 326, 353]);

const isRejected = (page: Page): boolean => {
  if (page.status === 401) return true;
  if (page.status !== 403 && page.status !== 200) return false;
  const error = listAt(parseJson(page.body), 'errors')[0];
  const code = Number(at(error, 'code') ?? at(error, 'extensions', 'code'));
  return REJECTED.has(code);
};

/** How X's sessions are sent, and what its answers say of them. */
export const sessionsWith = (operations: XOperations): SessionGrammar => ({
  credentials,
  headersOf: (secret) => {
    const { bearer_token, guest_token, auth_token, ct0 } = credentials.parse(secret);
    return {
      authorization: `Bearer ${bearer_token}`,
      ...(guest_token === undefined ? {} : { 'x-guest-token': guest_token }),
      ...(auth_token === undefined || ct0 === undefined
        ? {}
        : { cookie: `auth_token=${auth_token}; ct0=${ct0}`, 'x-csrf-token': ct0 }),
    };
  },
  isRejected,
  probe: userRequest(operations, { kind: 'handle', handle: 'x' }),
});
