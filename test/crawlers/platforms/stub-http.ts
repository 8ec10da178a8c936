import { FetchError, type Http, type HttpRequest, type Page } from '../../../src/crawlers/http/port.ts';
import { page } from './pages.ts';

export type Answer = Partial<Page> | FetchError;

/**
 * An HTTP seam that answers by what an address contains, and remembers what was asked. There is a session for what it has
 * an answer to.
 */
export const stubHttp = (answers: Readonly<Record<string, Answer>>): Http & { readonly asked: string[] } => {
  const asked: string[] = [];
  return {
    asked,
    async fetch(request: HttpRequest) {
      const found = Object.entries(answers).find(([part]) => request.url.includes(part))?.[1];
      if (found === undefined && request.session !== undefined)
        throw new FetchError('no_session', 'No session is configured');
      asked.push(request.url);
      if (found === undefined) throw new FetchError('not_recorded', `Nothing is prepared for ${request.url}`);
      if (found instanceof FetchError) throw found;
      return page(found.body ?? '', { url: request.url, ...found });
    },
    close: async () => undefined,
  };
};
