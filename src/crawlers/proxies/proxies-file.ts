import { readFile } from 'node:fs/promises';
import type { Document } from 'yaml';
import { z } from 'zod';
import { errorMessage, OperatorError } from '../../kernel/errors.ts';
import { platformSchema } from '../../kernel/platform.ts';
import type { ProxyServer } from '../http/port.ts';

/**
 * Parses the JSON or YAML list of proxies of a file.
 * @throws {OperatorError} `proxies_invalid`, without quoting the file, which has passwords.
 */
export const parseProxies = async (name: string, text: string): Promise<readonly ProxyServer[]> => {
  const { parseDocument } = await import('yaml');
  const document = parseDocument(text);
  const [error] = document.errors;
  if (error !== undefined) {
    const line = error.linePos?.[0].line;
    throw new OperatorError(
      'proxies_invalid',
      `${name} is no valid JSON or YAML${line === undefined ? '' : ` (line ${line})`}.`,
    );
  }
  const parsed = file.safeParse(contentOf(name, document));
  if (!parsed.success) {
    const problems = parsed.error.issues.slice(0, 20).map(problemOf);
    throw new OperatorError('proxies_invalid', `${name} is no list of proxies:\n${problems.join('\n')}`);
  }
  return parsed.data.map(serverOf);
};

/** The proxies of PROXIES_FILE; none if it is unset. */
export const loadProxies = async (path: string | undefined): Promise<readonly ProxyServer[]> => {
  if (path === undefined) return [];
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    throw new OperatorError('proxies_invalid', `PROXIES_FILE can't be read: ${errorMessage(error)}`, {
      cause: error,
    });
  });
  return parseProxies(path, text);
};

const ALLOWED = 'http://host:port or https://host:port, with user:password@ if the proxy asks for it';

const proxyUrl = z.string().refine(
  (text) => {
    const url = URL.canParse(text) ? new URL(text) : null;
    return (
      url !== null &&
      ['http:', 'https:'].includes(url.protocol) &&
      url.pathname === '/' &&
      url.search === '' &&
      url.hash === ''
    );
  },
  { error: ALLOWED },
);

const entry = z.strictObject({
  name: z.string().regex(/^[a-z0-9][a-z0-9-]{0,39}$/, 'up to 40 lower-case letters, digits and -'),
  url: proxyUrl,
  platforms: z.array(platformSchema).min(1),
});

const file = z
  .array(entry)
  .max(1_000)
  .refine((proxies) => new Set(proxies.map(({ name }) => name)).size === proxies.length, {
    error: 'each name once',
  });

const serverOf = ({ name, url, platforms }: z.output<typeof entry>): ProxyServer => {
  const { protocol, host, username, password } = new URL(url);
  const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return {
    name,
    url: `${protocol}//${host}`,
    authorization: username === '' ? null : `Basic ${Buffer.from(pair).toString('base64')}`,
    platforms,
  };
};

/** A problem with the path to it. The value is not quoted: it may be a password. */
const problemOf = ({ path, message }: z.core.$ZodIssue): string => `${path.join('.')}: ${message}`;

/** The content of a document. The parser limits aliases: nested ones would multiply. */
const contentOf = (name: string, document: Document): unknown => {
  try {
    return document.toJS();
  } catch (error) {
    if (!(error instanceof ReferenceError)) throw error;
    throw new OperatorError('proxies_invalid', `${name} has too many YAML aliases, or undefined ones.`, {
      cause: error,
    });
  }
};
