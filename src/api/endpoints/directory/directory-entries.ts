import type { z } from 'zod';
import type { Entry, FoundEntry } from '../../../read/directory/entry.ts';
import type { EntryFilters } from '../../../read/directory/list.ts';
import type { ListPage } from '../../../read/keyset.ts';
import { entrySource, parseAccountRef, requireAccount } from '../../contract/account-ref.ts';
import type { Answer, EndpointRequest } from '../../contract/endpoint.ts';
import type { entryParams, entrySchema } from '../../contract/schemas/directory.ts';

export const entryListAnswer = (page: ListPage<Entry>): Answer<z.input<typeof entrySchema>[]> => ({
  data: page.items.map((entry) => ({
    ...entry,
    links: [...entry.links],
    previous_handles: [...entry.previous_handles],
  })),
  source: 'catalog',
  readAtMs: page.oldestMs,
  next: page.next,
});

export const filtersOf = (query: EntryFilters & { sort?: unknown }): EntryFilters => {
  const { sort: _, ...filters } = query;
  return filters;
};

/** @throws {ServiceError} `not_found` if the directory has no such entry. */
export const findEntry = (
  request: EndpointRequest<z.output<typeof entryParams>, unknown, unknown>,
): Promise<FoundEntry> => {
  const { services, params } = request;
  const ref = parseAccountRef(services, params.platform, params.id, 'params.id');
  return requireAccount(request, ref, entrySource(services));
};
