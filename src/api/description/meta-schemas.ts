import { z } from 'zod';
import { platformSchema } from '../../kernel/platform.ts';
import type { Endpoint } from '../contract/endpoint.ts';
import { EXPORT_LIMIT, isExportable, MAX_EDGES } from '../contract/parse-request.ts';

export const EXAMPLE_COVERAGE = {
  status: 'whole',
  ended_at: '2026-11-21T08:16:40.000Z',
  whole_at: '2026-11-21T08:16:26.000Z',
  read_at: '2026-11-21T08:16:40.000Z',
} as const;

export const EXAMPLE_ACCOUNT = {
  platform: 'x',
  id: '11348282',
  handle: 'nasa',
  status: 'active',
  followers: 96_000_000,
  capped: null,
} as const;

/** The schema of an endpoint's `meta`. */
export const metaOf = (endpoint: Endpoint) => {
  const { list, methodVersion, listsOfAccount, isFeed, hasListCoverage } = endpoint;
  if (hasListCoverage === true) return coveredListMetaSchema;
  if (isFeed === true) return feedMetaSchema;
  if (listsOfAccount === true) return accountListMetaSchema;
  if (isExportable(endpoint)) return exportListMetaSchema;
  if (methodVersion === undefined) return list ? listMetaSchema : metaSchema;
  return list ? derivedListMetaSchema : derivedMetaSchema;
};

const metaSchema = z
  .object({
    request_id: z.string().regex(/^req_[0-9a-f]{32}$/),
    generated_at: z.iso.datetime(),
    took_ms: z.int().nonnegative().describe('Duration of the request in milliseconds.'),
    source: z.enum(['catalog', 'live', 'mixed', 'service']),
    cache_age_s: z
      .int()
      .nonnegative()
      .nullable()
      .describe('Age in seconds of the oldest value in the response that can change; null if it has none.'),
  })
  .meta({ id: 'Meta' });

const listMeta = {
  next_cursor: z
    .string()
    .nullable()
    .describe('`cursor` of the next page; null at the end. A short or empty page may still have a next one.'),
  limit: z.int().min(1).max(100),
};

const derivedMeta = {
  coverage: z
    .object({
      sampled: z.int().nonnegative().describe('Inputs that were used.'),
      total: z.int().nonnegative().nullable().describe('Available inputs; null if unknown.'),
      capped: z.boolean().describe('Whether a limit ended the sample.'),
    })
    .nullable()
    .describe('Data that the figures are based on; null if there is no sample.'),
  method_version: z.string().describe('Version of the method: figures of different versions differ.'),
  warnings: z.array(z.string()).describe('Limits on the use of the figures, such as a stale input.'),
};

const listMetaSchema = metaSchema.extend(listMeta).meta({ id: 'ListMeta' });
const derivedMetaSchema = metaSchema.extend(derivedMeta).meta({ id: 'DerivedMeta' });
const exportListMetaSchema = listMetaSchema
  .extend({ limit: z.int().min(1).max(EXPORT_LIMIT) })
  .meta({ id: 'ExportListMeta' });
const derivedListMetaSchema = listMetaSchema.extend(derivedMeta).meta({ id: 'DerivedListMeta' });

const feedMetaSchema = exportListMetaSchema
  .extend({
    resume_cursor: z
      .string()
      .describe(
        '`cursor` after the last row of the page. Store it, and send it later to get the rows added since. Unlike `next_cursor`, it is also present on the last page.',
      ),
  })
  .meta({ id: 'FeedMeta' });

const listCoverageSchema = z
  .object({
    status: z
      .enum(['whole', 'capped', 'broken_off'])
      .describe(
        'How the last finished reading of the list ended. whole: complete. capped: the list continued beyond what was read. broken_off: no reading has finished.',
      ),
    ended_at: z.iso.datetime().nullable().describe('When that reading ended.'),
    whole_at: z.iso
      .datetime()
      .nullable()
      .describe('Start of the last whole reading; null if there was none.'),
    read_at: z.iso.datetime().describe('When any part of the list was read last.'),
  })
  .describe(
    'How much of the list was read. Unless it is `whole`, members that are missing here may still be in the list.',
  )
  .meta({ id: 'ListCoverage' });

const coveredListMetaSchema = listMetaSchema
  .extend({ limit: z.int().min(1).max(MAX_EDGES), coverage: listCoverageSchema })
  .meta({ id: 'CoveredListMeta' });

const accountListMetaSchema = listMetaSchema
  .extend({
    account: z
      .object({
        platform: platformSchema,
        id: z.string().nullable(),
        handle: z.string().nullable(),
        status: z.enum(['active', 'private', 'suspended', 'deactivated', 'absent', 'unknown']),
        followers: z.int().nonnegative().nullable(),
        capped: z
          .boolean()
          .nullable()
          .describe(
            'Whether the platform ended the list before its last member; null while there is a next page.',
          ),
      })
      .describe('The account that the list belongs to. If it is not active, the list is empty.'),
  })
  .meta({ id: 'AccountListMeta' });
