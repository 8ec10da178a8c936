import type { LiveReading } from '../../crawlers/live-read/port.ts';
import { type ErrorDetail, ServiceError } from '../../kernel/errors/service-error.ts';
import { type Platform, platformSchema } from '../../kernel/platform.ts';
import type { PlatformDescriptor } from '../../platforms/descriptor.ts';
import { accountOfUrl, indirectUrlOf, isInDirectory, platformNames } from '../../platforms/index.ts';
import type { KnownAccount } from '../../read/accounts/account-reads.ts';
import type { AccountKey } from '../../read/accounts/lookups.ts';
import type { FoundEntry, PresentName } from '../../read/directory/entry.ts';
import type { FoundPerson, PersonAccount } from '../../read/people/person.ts';
import type { AccountStatus } from '../../write/accounts/events.ts';
import { isGone } from '../../write/accounts/status.ts';
import type { Services } from '../services.ts';
import { type Demanded, demand, demandText } from './demand.ts';
import type { EndpointRequest } from './endpoint.ts';

/** What a text names: a handle, a native ID, or one of both, as digits do on some platforms. */
export interface AccountRef {
  readonly platform: Platform;
  readonly handle: string | null;
  readonly id: string | null;
  /** Of the text in the request, for errors. */
  readonly path: string;
}

/** A handle, an ID or both, as a text can be read by a grammar; null if as neither. */
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
  return { platform, ...ref, path };
};

/** How an account is named where its handle is unknown, or another account has it. */
export const nameNow = ({ handle, id }: PresentName): string => handle ?? `id:${id}`;

/** An account that a text names, as the catalog knows it. */
export type Resolved<Found> =
  | { readonly is: 'known'; readonly key: AccountKey; readonly found: Found }
  /** Its account has left the handle, and no other has it. */
  | { readonly is: 'renamed'; readonly key: AccountKey; readonly to: PresentName }
  /** An unknown account; what may be both is a handle. */
  | { readonly is: 'unknown'; readonly key: AccountKey };

/** What the account that had a handle last is called now; null if that is not known. */
export const renamedTo = async (
  services: Pick<Services, 'entries'>,
  key: AccountKey,
): Promise<string | null> => {
  const to = await formerly(services, key);
  return to && nameNow(to);
};

/**
 * Finds whose reference it is: of the account that has the handle, else of the one that had it last, else of the one with the ID.
 * @throws {ServiceError} `invalid_request` if these are two accounts: no one captures an ID by taking it as his handle.
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
export const entriesOf = ({ entries }: Pick<Services, 'entries'>): AccountSource<FoundEntry> => ({
  find: (key) => entries.find(key),
  idOf: ({ entry }) => entry.id,
  statusOf: ({ entry }) => entry.status,
});

/** Accounts of all platforms. */
export const accountsOf = ({ accounts }: Pick<Services, 'accounts'>): AccountSource<KnownAccount> => ({
  find: (key) => accounts.find(key),
  idOf: ({ native_id }) => native_id,
  statusOf: ({ status }) => status,
});

/** What a source knows of the account that a reading shows, by whichever name it knows it. */
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

/** Counts what is asked for as demand: a renamed account by its present name. */
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

/** Counts an account that is not found as demand. @returns the error to throw. */
export const notFound = async (
  request: Request,
  { path }: AccountRef,
  asked: Exclude<Resolved<unknown>, { is: 'known' }>,
): Promise<ServiceError> =>
  new ServiceError('not_found', 'The catalog has no such account.', {
    details: [await lackOf(request, path, asked)],
  });

/** Warns that figures are of an account that its platform does not show any more. */
export const warnOf = ({ warn }: Pick<Request, 'warn'>, status: AccountStatus): void => {
  if (isGone(status)) warn(`account_${status}`);
};

/** The account that a reference names, with a warning if it is gone. @throws {ServiceError} `not_found`, or as `resolveAccount`. */
export const requireAccount = async <Found>(
  request: Request,
  ref: AccountRef,
  source: AccountSource<Found>,
): Promise<Found> => {
  const asked = await resolveAccount(request.services, ref, source);
  if (asked.is !== 'known') throw await notFound(request, ref, asked);
  warnOf(request, source.statusOf(asked.found));
  return asked.found;
};

/**
 * The account that is to be read on its platform: what the catalog does not know is a handle, if it can be one.
 * @throws as `resolveAccount`.
 */
export const liveKey = async (
  services: Pick<Services, 'accounts' | 'entries'>,
  ref: AccountRef,
): Promise<AccountKey> => {
  const only = ref.id === null ? handleKey(ref) : ref.handle === null ? idKey(ref) : null;
  return only ?? (await resolveAccount(services, ref, accountsOf(services))).key;
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

/** The account of a person that was asked for. */
export const askedOf = ({ person, asked }: FoundPerson): PersonAccount | undefined =>
  person.accounts.find(({ key }) => key === asked);

/** Persons by their accounts: under a handle that of the account that has it, not of those that had it. */
export const personsOf = ({ people }: Pick<Services, 'people'>): AccountSource<FoundPerson> => ({
  find: async (key) => {
    const found = await people.ofAccount(key);
    return found !== null && key.by === 'handle' && askedOf(found)?.handle !== key.value ? null : found;
  },
  idOf: (found) => askedOf(found)?.id ?? null,
  statusOf: (found) => askedOf(found)?.status ?? 'unknown',
});

type Adapters = Pick<Services, 'adapterOf'>;

const handleKey = ({ platform, handle }: AccountRef): AccountKey | null =>
  handle === null ? null : { platform, by: 'handle', value: handle };

const idKey = ({ platform, id }: AccountRef): AccountKey | null =>
  id === null ? null : { platform, by: 'id', value: id };

/** Where accounts are looked up: each with its native ID, and its status. */
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

/** The account that had a handle last; null if none is known, or the handle is another's. */
const formerly = async (
  { entries }: Pick<Services, 'entries'>,
  { platform, by, value }: AccountKey,
): Promise<PresentName | null> =>
  by === 'handle' && isInDirectory(platform) ? entries.formerly(platform, value) : null;

type Request = Pick<
  EndpointRequest<unknown, unknown, unknown>,
  'services' | 'caller' | 'afterAdmission' | 'warn'
>;

/** The details of an account that is not found: what it is called now, or what becomes of the question. */
const lackOf = async (
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
