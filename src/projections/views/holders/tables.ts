import { z } from 'zod';
import { scopeSchema } from '../../../write/holders/plans.ts';
import {
  bool,
  createTables,
  defineTable,
  instant,
  json,
  name,
  nullable,
  type RowOf,
  text,
  wideInt8,
} from '../../table/table.ts';

/** An API customer and its terms. */
export const holderTable = defineTable(
  'holders',
  {
    holder: name(),
    name: text(),
    registered_at: instant(),
    /** Null until one is chosen: the default plan applies. */
    plan: nullable(text()),
    plan_started_at: instant(),
    overage_on: bool(),
    /** Maximum overage of a period; null if uncapped. */
    cap_micro_usd: nullable(wideInt8()),
    /** Since when all its keys are refused; null if they are not. */
    suspended_at: nullable(instant()),
    suspended_why: nullable(text()),
    /** Sum of all credits. */
    credit_micro_usd: wideInt8(),
    /** Position of the event that last changed these terms. */
    changed: wideInt8(),
  },
  { key: ['holder'] },
);
export type HolderRow = RowOf<typeof holderTable>;

/** An API key, as authentication needs it. */
export const keyTable = defineTable(
  'keys',
  {
    key_id: name(),
    holder: name(),
    key_hash: name(),
    scopes: json(z.array(scopeSchema) as z.ZodType<readonly z.infer<typeof scopeSchema>[]>),
    label: nullable(text()),
    issued_at: instant(),
    revoked_at: nullable(instant()),
    /** When it ends by itself, or since it was rotated; null for never. */
    expires_at: nullable(instant()),
    replaced_by: nullable(text()),
    /** IP allowlist (CIDR); empty allows any address. */
    allowlist: json(z.array(z.string()) as z.ZodType<readonly string[]>),
  },
  { key: ['key_id'] },
);
export type KeyRow = RowOf<typeof keyTable>;

export const tables = (schema: string): string => `
${createTables(schema, [holderTable, keyTable])}
alter table ${schema}.keys add unique (key_hash);
create index on ${schema}.keys (holder);
`;
