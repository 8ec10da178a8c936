import { z } from 'zod';
import { platformSchema } from '../../../kernel/platform.ts';
import { ACCOUNT_STATUSES } from '../../../write/accounts/account.ts';
import { CLAIM_EVIDENCE_KINDS } from '../../../write/people/claims.ts';
import { EVIDENCE_KINDS } from '../../../write/people/cluster.ts';
import { FIELD_NOTE } from '../visibility.ts';

const instant = z.iso.datetime();

const accountRefSchema = z.object({
  platform: platformSchema,
  handle: z.string().nullable(),
  id: z
    .string()
    .nullable()
    .describe('Native ID on the platform; null if the platform has none or never showed it.'),
});

export const personEvidenceSchema = z
  .object({
    kind: z
      .enum(EVIDENCE_KINDS)
      .describe(
        '`mutual_link`: the account and others of the person link to each other. `same_native_link`: they point at each other, at least one of them by a link page that lists them both. `name_and_handle`: how names and handles relate. `same_profile`: whether bios or pictures are equal. `disclaimer`: an account says that it is a parody or a fan. `conflict`: a second account of one platform.',
      ),
    weight: z.number().describe('Added to the log odds; negative if it is evidence against the connection.'),
    from: accountRefSchema.nullable(),
    to: accountRefSchema.nullable(),
    observed_at: instant,
  })
  .meta({ id: 'PersonEvidence' });

const personAccountSchema = accountRefSchema
  .extend({
    profile_url: z.string().nullable(),
    status: z.enum(ACCOUNT_STATUSES),
    followers: z.int().nonnegative().nullable().describe(FIELD_NOTE),
    verified: z.boolean().nullable().describe(FIELD_NOTE),
    last_seen_at: instant,
    confidence: z
      .number()
      .min(0)
      .max(1)
      .nullable()
      .describe(
        'Probability that the account belongs to the same person as the others; null if it is the only one.',
      ),
    log_odds: z
      .number()
      .nullable()
      .describe('The sum of the weights of its evidence: ln(confidence / (1 - confidence)).'),
    evidence: z.array(personEvidenceSchema),
  })
  .meta({ id: 'PersonAccount' });

const claimEvidenceSchema = z
  .object({
    kind: z
      .enum(CLAIM_EVIDENCE_KINDS)
      .describe(
        'What accompanies the link. But for `mutual_link`, all of it is in the hands of who links; a link both ways joins no accounts whose names or other evidence speak against it. `claimant_verified`: the platform has verified the other account, as whom the answer does not say.',
      ),
    from: accountRefSchema,
    to: accountRefSchema,
    observed_at: instant,
  })
  .meta({ id: 'ClaimEvidence' });

const claimsSchema = z
  .object({
    total: z
      .int()
      .nonnegative()
      .nullable()
      .describe('null if more accounts have the name of the person than are compared.'),
    accounts: z.array(
      accountRefSchema.extend({
        profile_url: z.string().nullable(),
        status: z.enum(ACCOUNT_STATUSES),
        followers: z.int().nonnegative().nullable().describe(FIELD_NOTE),
        verified: z.boolean().nullable().describe(FIELD_NOTE),
        last_seen_at: instant,
        evidence: z.array(claimEvidenceSchema),
      }),
    ),
  })
  .meta({ id: 'Claims' });

export const personSchema = z
  .object({
    person_id: z.string(),
    display_name: z.string().nullable(),
    accounts: z
      .array(personAccountSchema)
      .describe('The confirmed ones: each is joined to the others by evidence that both sides control.'),
    claims: z
      .object({
        received: claimsSchema.describe(
          'Accounts with an agreeing name or handle that link to the person and are not confirmed: own ones, fans, and impersonators. At most 20, verified and large ones first.',
        ),
        made: claimsSchema.describe(
          'Accounts that the person links to and that are not confirmed. At most 20, verified and large ones first.',
        ),
      })
      .describe(
        'Links to and from accounts that are not confirmed. They have no confidence: how many of them are impersonators, nobody has measured.',
      ),
    confidence: z
      .number()
      .min(0)
      .max(1)
      .nullable()
      .describe('Confidence of the least certain account; null if there is only one account.'),
  })
  .meta({ id: 'Person' });

export const lookedUpPersonSchema = personSchema
  .extend({
    merged_into: z
      .string()
      .nullable()
      .describe(
        'If no person has the requested `person_id` any more: the person that now has the account it was made from. Otherwise null.',
      ),
  })
  .meta({ id: 'LookedUpPerson' });

const X = { platform: 'x' as const, handle: 'nasa', id: '11348282' };
const INSTAGRAM = { platform: 'instagram' as const, handle: 'nasa', id: '528817151' };
const READ_AT = '2026-11-22T08:16:26.281Z';

const TELEGRAM_TO_X = {
  from: { platform: 'telegram' as const, handle: 'nasa', id: null },
  to: X,
  observed_at: READ_AT,
};

const EXAMPLE_EVIDENCE = [
  { kind: 'mutual_link' as const, weight: 6.5, from: X, to: INSTAGRAM, observed_at: READ_AT },
  { kind: 'name_and_handle' as const, weight: 2.07, from: null, to: null, observed_at: READ_AT },
];

export const EXAMPLE_PERSON: z.output<typeof personSchema> = {
  person_id: '0b7c3b65-3c0e-5d8f-9a54-2f6d1f0f6b1e',
  display_name: 'NASA',
  accounts: [
    {
      ...X,
      profile_url: 'https://x.com/nasa',
      status: 'active',
      followers: 96_000_000,
      verified: true,
      last_seen_at: READ_AT,
      confidence: 0.9998,
      log_odds: 8.57,
      evidence: EXAMPLE_EVIDENCE,
    },
    {
      ...INSTAGRAM,
      profile_url: 'https://www.instagram.com/nasa/',
      status: 'active',
      followers: 98_000_000,
      verified: true,
      last_seen_at: READ_AT,
      confidence: 0.9998,
      log_odds: 8.57,
      evidence: EXAMPLE_EVIDENCE,
    },
  ],
  claims: {
    received: {
      total: 1,
      accounts: [
        {
          platform: 'telegram' as const,
          handle: 'nasa',
          id: null,
          profile_url: 'https://t.me/nasa',
          status: 'active',
          followers: 812,
          verified: false,
          last_seen_at: READ_AT,
          evidence: [
            { kind: 'bio_link' as const, ...TELEGRAM_TO_X },
            { kind: 'equal_name' as const, ...TELEGRAM_TO_X },
          ],
        },
      ],
    },
    made: { total: 0, accounts: [] },
  },
  confidence: 0.9998,
};

/** A share as text of a query: `0.95`. */
export const confidenceShare = () =>
  z
    .string()
    .regex(/^(?:0(?:\.\d{1,6})?|1(?:\.0{1,6})?)$/, { error: 'must be a number from 0 to 1, as `0.95`' })
    .transform(Number);
