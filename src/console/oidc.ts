/** Login through a provider of OpenID Connect: the authorization code flow, with PKCE, state and nonce. */

import type { Configuration } from 'openid-client';
import { type Config, isPrivateAddress, PRIVATE_ADDRESS } from '../kernel/config.ts';
import { errorMessage, OperatorError } from '../kernel/errors.ts';
import type { ProviderChecks } from '../operations/operators.ts';

export const PROVIDER_PATH = '/login/provider';
export const CALLBACK_PATH = '/login/provider/callback';

/** Whom a provider vouches for, or why it does not. */
type Vouched =
  | { readonly email: string }
  | { readonly email: null; readonly why: string; readonly isDown: boolean; readonly error?: string };

interface Provider {
  /** As operators know it. */
  readonly host: string;
  /** Where it sends browsers back to. */
  readonly callback: string;
  /** Where it asks who somebody is. @throws if it does not answer. */
  askAt(checks: ProviderChecks): Promise<URL>;
  /** Reads its answer, with which it sent the browser to us. */
  vouchedFor(answer: URLSearchParams, checks: ProviderChecks): Promise<Vouched>;
}

const TIMEOUT_S = 5;

/**
 * An address: names of another form could be anybody's at the provider. Letters of other scripts could fold to those of somebody
 * else.
 */
const ADDRESS = /^[\x21-\x3f\x41-\x7e]+@[\x21-\x3f\x41-\x7e]+$/;

/** Errors of a provider that is not there. */
const DOWN: ReadonlySet<string> = new Set(['OAUTH_TIMEOUT', 'OAUTH_ABORT', 'OAUTH_RESPONSE_IS_NOT_CONFORM']);

/** The code of an error, which a stranger may have written into the address. */
const codeOf = (error: string): string => (/^\w{1,60}$/.test(error) ? error : 'no reason that can be shown');

const refused = (why: string): Vouched => ({ email: null, why, isDown: false });

const SETTINGS = ['CONSOLE_OIDC_ISSUER', 'CONSOLE_OIDC_CLIENT_ID', 'CONSOLE_OIDC_CLIENT_SECRET'] as const;

/**
 * The provider of the settings; null without one.
 * @throws {OperatorError} `setting_invalid` if settings are missing that it needs.
 */
export const providerOf = (config: Config): Provider | null => {
  const {
    CONSOLE_ORIGIN: origin,
    CONSOLE_OIDC_ISSUER: issuer,
    CONSOLE_OIDC_CLIENT_ID: id,
    CONSOLE_OIDC_CLIENT_SECRET: secret,
  } = config;
  const missing = SETTINGS.filter((key) => config[key] === undefined);
  if (missing.length === SETTINGS.length) return null;
  if (issuer === undefined || id === undefined || secret === undefined)
    throw new OperatorError(
      'setting_invalid',
      `${SETTINGS.join(', ')} are set together: ${missing.join(', ')} is missing.`,
    );
  if (origin === undefined || !isPrivateAddress(origin))
    throw new OperatorError(
      'setting_invalid',
      `CONSOLE_OIDC_ISSUER needs CONSOLE_ORIGIN, to which the provider sends browsers back: ${PRIVATE_ADDRESS}.`,
    );
  const { host, protocol } = new URL(issuer);
  const callback = `${origin}${CALLBACK_PATH}`;
  const client = import('openid-client');
  let known: Configuration | null = null;

  /** What the provider says of itself, which is asked once. */
  const discovered = async (): Promise<Configuration> => {
    const { allowInsecureRequests, ClientSecretBasic, discovery, enableNonRepudiationChecks } = await client;
    known ??= await discovery(new URL(issuer), id, {}, ClientSecretBasic(secret), {
      timeout: TIMEOUT_S,
      execute: [enableNonRepudiationChecks, ...(protocol === 'http:' ? [allowInsecureRequests] : [])],
    });
    return known;
  };

  return {
    host,
    callback,
    askAt: async ({ state, nonce, verifier }) => {
      const { buildAuthorizationUrl, calculatePKCECodeChallenge } = await client;
      return buildAuthorizationUrl(await discovered(), {
        redirect_uri: callback,
        scope: 'openid email',
        state,
        nonce,
        code_challenge: await calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
      });
    },
    vouchedFor: async (answer, { state, nonce, verifier }) => {
      const {
        authorizationCodeGrant,
        AuthorizationResponseError,
        ClientError,
        fetchUserInfo,
        ResponseBodyError,
      } = await client;
      try {
        const found = await discovered();
        const tokens = await authorizationCodeGrant(found, new URL(`${callback}?${answer}`), {
          expectedState: state,
          expectedNonce: nonce,
          pkceCodeVerifier: verifier,
          idTokenExpected: true,
        });
        const claims = tokens.claims();
        if (claims === undefined) return refused(`${host} did not say who you are.`);
        // Many providers tell the address only to who asks for it.
        const { email, email_verified: isVerified } =
          claims.email === undefined ? await fetchUserInfo(found, tokens.access_token, claims.sub) : claims;
        if (typeof email !== 'string' || !ADDRESS.test(email))
          return refused(`${host} did not tell your e-mail address.`);
        // Anybody can write any address into a profile.
        if (isVerified !== true)
          return refused(`${host} has not verified your e-mail address: verify it there, and log in again.`);
        return { email: email.toLowerCase() };
      } catch (error) {
        const told = { email: null, error: errorMessage(error) } as const;
        if (error instanceof AuthorizationResponseError || error instanceof ResponseBodyError)
          return { ...told, why: `${host} did not log you in (${codeOf(error.error)}).`, isDown: false };
        const isDown = !(error instanceof ClientError && error.code !== undefined) || DOWN.has(error.code);
        const why = isDown ? 'does not answer.' : 'gave an answer that does not fit this login: begin again.';
        return { ...told, why: `${host} ${why}`, isDown };
      }
    },
  };
};
