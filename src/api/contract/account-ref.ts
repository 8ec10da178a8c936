import type { LiveReading } from '../../crawlers/live-read/port.ts';
import { type ErrorDetail, ServiceError } from '../../kernel/errors.ts';
import { type Platform, platformSchema } from '../../kernel/platform.ts';
import type { PlatformDescriptor } from '../../platforms/descriptor.ts';
import { accountOfUrl, indirectUrlOf, isInDirectory, platformNames } from '../../platforms/index.ts';
import type { AccountKey, KnownAccount } from '../../read/accounts.ts';
import type { FoundEntry, PresentName } from '../../read/directory/entry.ts';
import type { FoundPerson, PersonAccount } from '../../read/people/person.ts';
import { type AccountStatus, isGone } from '../../write/accounts/account.ts';
import type { Services } from '../services.ts';
import { type Demanded, demand, demandText } from './demand.ts';
import type { EndpointRequest } from './endpoint.ts';

/** An account as a text names it: by a handle, a native ID, or either, such as digits on some platforms. */
export interface AccountRef {
  readonly platform: Platform;
  readonly handle: string | null;
  readonly id: string | null;
  /** Path of the text in the request, for errors. */
  readonly path: string;
}

/** Parses a text by a platform's grammar as a handle, an ID or both; null if it is neither. */
export const refIn = (
  { isBareId, parseHandle, parseId }: Pick<PlatformDescriptor, 'isBareId' | 'parseHandle' | 'parseId'>,
  text: string,
): Pick<AccountRef, 'handle' | 'id'> | null => {
  const isId = text.startsWith('id:') || isBareId(text);
  const handle = isId ? null : parseHandle(text);
  const id = text.startsWith('@') ? null : parseId(text.replace(/^id:/, ''));
  return handle === null && id === null ? null : { handle, id };
};

/**
 * Parses an account reference: `@` and a handle, `id:` and a native ID, or one of these without its sign.
 * @throws {ServiceError} `invalid_request` if it violates the platform's grammar.
 */
export const parseAccountRef = (
  services: Adapters,
  platform: Platform,
  text: string,
  path: string,
): AccountRef => {
  const adapter = services.adapterOf(platform);
  const ref = refIn(adapter, text);
  if (ref === null) {
    const message = `not a handle or id of ${adapter.name}: a handle is ${adapter.handlePattern}, an id is written id:<id>`;
    throw new ServiceError('invalid_request', `This is not a handle or id of ${adapter.name}.`, {
      details: [{ path, message }],
    });
  }
  return noted(services, { platform, ...ref, path });
};

/** Notes that a request asks for an account. */
const noted = ({ asked }: Adapters, ref: AccountRef): AccountRef => {
  asked?.({ platform: ref.platform, account: ref.handle ?? `id:${ref.id}` });
  return ref;
};

/** The present name of an account: its handle, or `id:<id>` if the handle is unknown or another account's. */
export const nameNow = ({ handle, id }: PresentName): string => handle ?? `id:${id}`;

/** The result of looking up a reference in the catalog. */
export type Resolved<Found> =
  | { readonly is: 'known'; readonly key: AccountKey; readonly found: Found }
  /** The account had this handle formerly, and no other account has it now. */
  | { readonly is: 'renamed'; readonly key: AccountKey; readonly to: PresentName }
  /** The account is unknown. A text that may be a handle or an ID counts as a handle. */
  | { readonly is: 'unknown'; readonly key: AccountKey };

/** The present name of the account that had a handle last; null if unknown. */
export const renamedTo = async (
  services: Pick<Services, 'entries'>,
  key: AccountKey,
): Promise<string | null> => {
  const to = await formerly(services, key);
  return to && nameNow(to);
};

/**
 * Looks up a reference: the account that has the handle, else the one that had it last, else the one with the ID.
 * @throws {ServiceError} `invalid_request` if these are two accounts, so that nobody can capture an ID by taking it as a
 * handle.
 */
export const resolveAccount = async <Found>(
  services: Pick<Services, 'entries'>,
  ref: AccountRef,
  { find, idOf }: Omit<AccountSource<Found>, 'statusOf'>,
): Promise<Resolved<Found>> => {
  const [byHandle, byId] = [handleKey(ref), idKey(ref)];
  const [named, identified] = await Promise.all([
    byHandle === null ? null : find(byHandle),
    byId === null ? null : find(byId),
  ]);
  const to = byHandle === null || named !== null ? null : await formerly(services, byHandle);
  const isAnother = (named !== null && idOf(named) !== ref.id) || (to !== null && to.id !== ref.id);
  if (identified !== null && isAnother) throw ambiguous(ref);
  if (byHandle !== null && named !== null) return { is: 'known', key: byHandle, found: named };
  if (byHandle !== null && to !== null && identified === null) return { is: 'renamed', key: byHandle, to };
  if (byId !== null && identified !== null) return { is: 'known', key: byId, found: identified };
  return { is: 'unknown', key: (byHandle ?? byId) as AccountKey };
};

/** Entries of the directory. */
export const entrySource = ({ entries }: Pick<Services, 'entries'>): AccountSource<FoundEntry> => ({
  find: (key) => entries.find(key),
  idOf: ({ entry }) => entry.id,
  statusOf: ({ entry }) => entry.status,
});

/** Accounts of all platforms. */
export const accountSource = ({ accounts }: Pick<Services, 'accounts'>): AccountSource<KnownAccount> => ({
  find: (key) => accounts.find(key),
  idOf: ({ native_id }) => native_id,
  statusOf: ({ status }) => status,
});

/** What a source knows of the account that a reading shows, whether it knows it by this name or by its ID. */
export const knownAs = async <Found>(
  { find, idOf }: Pick<AccountSource<Found>, 'find' | 'idOf'>,
  { platform }: AccountKey,
  reading: LiveReading['reading'],
  named: Found | null,
): Promise<Found | null> => {
  const id = 'profile' in reading ? reading.profile.id : null;
  const namedId = named && idOf(named);
  if (id === null || namedId === id) return named;
  const same = await find({ platform, by: 'id', value: id });
  return same ?? (namedId === null ? named : null);
};

/** Counts an account that was not found as demand, a renamed one by its present name. */
export const countAsked = async (
  request: Omit<Request, 'warn'>,
  asked: Exclude<Resolved<unknown>, { is: 'known' }>,
): Promise<Demanded> => {
  const { key } = asked;
  if (asked.is === 'unknown') return demand(request, key);
  const { platform } = key;
  const { handle, id } = asked.to;
  if (handle !== null) return demand(request, { platform, by: 'handle', value: handle });
  return demand(request, id === null ? key : { platform, by: 'id', value: id });
};

/** Counts an account that was not found as demand. @returns the error to throw. */
export const notFoundError = async (
  request: Request,
  { path }: AccountRef,
  asked: Exclude<Resolved<unknown>, { is: 'known' }>,
): Promise<ServiceError> =>
  new ServiceError('not_found', 'The catalog has no such account.', {
    details: [await notFoundDetail(request, path, asked)],
  });

/** Warns if the platform no longer shows the account. */
export const warnIfGone = ({ warn }: Pick<Request, 'warn'>, status: AccountStatus): void => {
  if (isGone(status)) warn(`account_${status}`);
};

/**
 * The account that a reference names, with a warning if it is gone.
 * @throws {ServiceError} `not_found`; as `resolveAccount`.
 */
export const requireAccount = async <Found>(
  request: Request,
  ref: AccountRef,
  source: AccountSource<Found>,
): Promise<Found> => {
  const asked = await resolveAccount(request.services, ref, source);
  if (asked.is !== 'known') throw await notFoundError(request, ref, asked);
  warnIfGone(request, source.statusOf(asked.found));
  return asked.found;
};

/**
 * The account to read on its platform. A text that the catalog does not know counts as a handle if it can be one.
 * @throws as `resolveAccount`.
 */
export const liveKey = async (
  services: Pick<Services, 'accounts' | 'entries'>,
  ref: AccountRef,
): Promise<AccountKey> => {
  const only = ref.id === null ? handleKey(ref) : ref.handle === null ? idKey(ref) : null;
  return only ?? (await resolveAccount(services, ref, accountSource(services))).key;
};

/** Parses a profile URL, with or without `https://`, whose account only the platform knows; null for any other text. */
export const indirectUrlIn = (text: string): ReturnType<typeof indirectUrlOf> => {
  const url = urlOf(text);
  return url === null ? null : indirectUrlOf(url);
};

/**
 * Parses `platform:handle`, or a profile URL with or without `https://`.
 * @throws {ServiceError} `invalid_request` if it is neither.
 */
export const accountOfText = (services: Adapters, text: string): AccountRef => {
  const colon = text.indexOf(':');
  const platform = platformSchema.safeParse(text.slice(0, Math.max(0, colon)).toLowerCase());
  if (platform.success) return parseAccountRef(services, platform.data, text.slice(colon + 1), 'query.url');
  const url = urlOf(text);
  if (url === null) throw refuse('This is neither a profile URL nor `platform:handle`.');
  const found = accountOfUrl(url);
  if (found !== null) {
    const { platform: name, address: named } = found;
    const path = 'query.url';
    return noted(
      services,
      named.kind === 'id'
        ? { platform: name, handle: null, id: named.id, path }
        : { platform: name, handle: named.handle, id: null, path },
    );
  }
  throw refuse(
    indirectUrlOf(url) === null
      ? `This URL is no profile of ${platformNames()}.`
      : 'Its platform alone knows which account this URL names: ask GET /v2/accounts/resolve?url=… first, and use the handle that it answers.',
  );
};

/** The account by which a person was found. */
export const askedAccount = ({ person, asked }: FoundPerson): PersonAccount | undefined =>
  person.accounts.find(({ key }) => key === asked);

/** Persons by their accounts. A handle finds the person of the account that has it now, not of one that had it. */
export const personSource = ({ people }: Pick<Services, 'people'>): AccountSource<FoundPerson> => ({
  find: async (key) => {
    const found = await people.ofAccount(key);
    return found !== null && key.by === 'handle' && askedAccount(found)?.handle !== key.value ? null : found;
  },
  idOf: (found) => askedAccount(found)?.id ?? null,
  statusOf: (found) => askedAccount(found)?.status ?? 'unknown',
});

type Adapters = Pick<Services, 'adapterOf' | 'asked'>;

const handleKey = ({ platform, handle }: AccountRef): AccountKey | null =>
  handle === null ? null : { platform, by: 'handle', value: handle };

const idKey = ({ platform, id }: AccountRef): AccountKey | null =>
  id === null ? null : { platform, by: 'id', value: id };

/** A source to look accounts up in. */
interface AccountSource<Found> {
  find(key: AccountKey): Promise<Found | null>;
  readonly idOf: (found: Found) => string | null;
  readonly statusOf: (found: Found) => AccountStatus;
}

const ambiguous = ({ id, path }: AccountRef): ServiceError => {
  const forms = `write @${id} for the handle, id:${id} for the id`;
  const message = `This is the handle of one account and the id of another: ${forms}.`;
  return new ServiceError('invalid_request', message, {
    details: [{ path, message: `is a handle and an id: ${forms}` }],
  });
};

/** The account that had a handle last; null if none is known, or the handle has another owner now. */
const formerly = async (
  { entries }: Pick<Services, 'entries'>,
  { platform, by, value }: AccountKey,
): Promise<PresentName | null> =>
  by === 'handle' && isInDirectory(platform) ? entries.formerly(platform, value) : null;

type Request = Pick<
  EndpointRequest<unknown, unknown, unknown>,
  'services' | 'caller' | 'afterAdmission' | 'warn'
>;

/** The error detail of an account that was not found: its present name, or whether it is queued to be read. */
const notFoundDetail = async (
  request: Request,
  path: string,
  asked: Exclude<Resolved<unknown>, { is: 'known' }>,
): Promise<ErrorDetail> => {
  const demanded = await countAsked(request, asked);
  if (asked.is === 'unknown') return { path, message: demandText(demanded), ...demanded };
  const renamed_to = nameNow(asked.to);
  return { path, message: `a former handle: its account is ${renamed_to} now`, renamed_to };
};

const refuse = (message: string): ServiceError =>
  new ServiceError('invalid_request', message, { details: [{ path: 'query.url', message }] });

const urlOf = (text: string): URL | null => {
  const address = /^https?:\/\//i.test(text) ? text : `https://${text}`;
  return URL.canParse(address) ? new URL(address) : null;
};
