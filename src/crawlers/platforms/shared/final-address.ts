import type { Platform } from '../../../kernel/platform.ts';
import type { Subject } from '../../../platforms/descriptor.ts';
import { descriptorOf } from '../../../platforms/index.ts';
import type { HttpRequest, Page } from '../../http/port.ts';

/** The account whose page or answer an address is. */
export const subjectOf = (platform: Platform, text: string): Subject => {
  if (!URL.canParse(text)) return null;
  const url = new URL(text);
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return null;
  const parts = url.pathname.split('/').filter((part) => part !== '');
  return descriptorOf(platform).subjectOf(url, parts);
};

/** The names of an account: as it was asked for, and as the answer shows it. */
export interface Names {
  readonly handle: string | null;
  readonly id: string | null;
}

/** Whether a subject can be the account of these names: handle and ID can't be compared. */
export const isOf = (platform: Platform, subject: Subject, { handle, id }: Names): boolean => {
  if (subject === null) return false;
  if (subject === 'unsaid') return true;
  // A channel ID or DID may stand where a handle is expected.
  const { isBareId } = descriptorOf(platform);
  const bare = handle !== null && isBareId(handle) ? handle : null;
  if (subject.kind === 'id') {
    const known = id ?? bare;
    return known === null || known === subject.id;
  }
  return handle === null || bare !== null || handle === subject.handle;
};

const PLAIN_HOST = /^(?:www|m|mobile)\./;

const bareHost = (url: URL): string => url.hostname.replace(PLAIN_HOST, '');
const barePath = (url: URL): string => url.pathname.replace(/\/$/, '');

/** Whether an answer is to its own request: for lists and posts, which have one address each. */
export const isAnswerTo = (request: HttpRequest, page: Page): boolean => {
  if (!URL.canParse(page.url)) return false;
  const [asked, final] = [new URL(request.url), new URL(page.url)];
  return (
    bareHost(asked) === bareHost(final) &&
    barePath(asked) === barePath(final) &&
    [...asked.searchParams].every(([name, value]) => final.searchParams.get(name) === value)
  );
};
