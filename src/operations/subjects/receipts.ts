/** Receipts of erasures: what was found and done, signed, so that others can check it. */

import { createHash, createPublicKey, type KeyObject, sign, verify } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { isoOf, systemClock } from '../../kernel/clock.ts';
import { errorMessage, OperatorError } from '../../kernel/errors.ts';
import { receiptKey } from '../../write/erasure/open-fence.ts';
import { type Export, listExports } from '../events/exports.ts';
import type { ErasureContext } from './erase.ts';
import type { SubjectState } from './subjects.ts';

/** A public key as a JSON Web Key (RFC 8037), which its thumbprint names (RFC 7638). */
const keySchema = z.object({
  kty: z.literal('OKP'),
  crv: z.literal('Ed25519'),
  x: z.base64url().length(43),
  kid: z.string(),
  alg: z.literal('EdDSA'),
  use: z.literal('sig'),
});
export type PublicKey = z.infer<typeof keySchema>;

const publicKeyOf = (key: KeyObject): PublicKey => {
  const { x = '' } = createPublicKey(key).export({ format: 'jwk' });
  const kid = createHash('sha256')
    .update(JSON.stringify({ crv: 'Ed25519', kty: 'OKP', x }))
    .digest('base64url');
  return { kty: 'OKP', crv: 'Ed25519', x, kid, alg: 'EdDSA', use: 'sig' };
};

/** The keys that receipts of this installation are signed with; none before the first erasure. */
export const receiptKeysOf = async ({
  db,
  config,
}: Pick<ErasureContext, 'db' | 'config'>): Promise<readonly PublicKey[]> => {
  const key = await receiptKey(db, config.ERASURE_KEY);
  return key === null ? [] : [publicKeyOf(key)];
};

/** What stays behind, and until when. */
const STILL_TO_COME = {
  kafka: 'messages of topics, until their retention is over',
  postgres: 'the write-ahead log, freed pages and replicas, until Postgres has written over them',
  backups:
    'older backups and exports, until you delete them; a restore erases again what it is given with --erasures',
} as const;

const OF_EVENTSTOREDB = {
  eventstoredb:
    'truncated events, until you scavenge every node; names of streams, and references in events of others, which are masked at each read, always',
} as const;

/** A receipt, with the key that checks its signature. */
export interface Receipt {
  readonly receipt: SubjectState & {
    readonly still_to_come: typeof STILL_TO_COME & Partial<typeof OF_EVENTSTOREDB>;
    /** Exports that were made before, any of which may hold the account, and that nobody has said to be destroyed. */
    readonly exports: readonly Pick<Export, 'export' | 'made_at' | 'kind' | 'type' | 'sha256'>[];
    readonly issued_at: string;
  };
  /** Ed25519 over the JSON text of `receipt`, in base64url. */
  readonly signature: string;
  readonly key: PublicKey;
}

/** Signs what was found and done. @throws {OperatorError} `erasure_key_missing` */
export const receiptOf = async (
  { db, config, log }: Pick<ErasureContext, 'db' | 'config' | 'log'>,
  state: SubjectState,
): Promise<Receipt> => {
  const key = await receiptKey(db, config.ERASURE_KEY);
  if (key === null) throw new OperatorError('subject_unknown', 'There is no such erasure.');
  const still_to_come = {
    ...STILL_TO_COME,
    ...(config.EVENT_LOG_URL === undefined ? {} : OF_EVENTSTOREDB),
  };
  const refusedAt = state.suppressed_at ?? state.erased_at;
  const exports = (await listExports({ log }))
    .filter(
      ({ made_at, destroyed_at }) => destroyed_at === null && (refusedAt === null || made_at < refusedAt),
    )
    .map(({ export: id, made_at, kind, type, sha256 }) => ({ export: id, made_at, kind, type, sha256 }));
  const receipt = { ...state, still_to_come, exports, issued_at: isoOf(systemClock.now()) };
  return {
    receipt,
    signature: sign(null, Buffer.from(JSON.stringify(receipt)), key).toString('base64url'),
    key: publicKeyOf(key),
  };
};

const keysFileSchema = z.object({ keys: z.array(keySchema) });

const receiptFileSchema = z.object({
  receipt: z.looseObject({ subject: z.string(), state: z.string(), issued_at: z.string() }),
  signature: z.base64url(),
});

const parsed = <Value>(schema: z.ZodType<Value>, text: string, what: string): Value => {
  try {
    return schema.parse(JSON.parse(text));
  } catch (error) {
    throw new OperatorError(
      'receipt_invalid',
      `${what}: ${error instanceof z.ZodError ? z.prettifyError(error) : errorMessage(error)}`,
      { cause: error },
    );
  }
};

/** @throws {OperatorError} `receipt_invalid` */
export const readReceiptFile = async (path: string): Promise<string> => {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    throw new OperatorError('receipt_invalid', `${path} can't be read: ${errorMessage(error)}`, {
      cause: error,
    });
  }
};

/**
 * Checks that an installation signed a receipt. The key that stands in the receipt proves nothing.
 * @param keys what the installation publishes at `/.well-known/sightline-keys.json`.
 * @throws {OperatorError} `receipt_invalid`
 */
export const checkReceipt = (
  text: string,
  keys: string,
): Pick<Receipt['receipt'], 'subject' | 'state' | 'issued_at'> & { readonly kid: string } => {
  const { receipt, signature } = parsed(receiptFileSchema, text, 'This is no receipt');
  const known = parsed(keysFileSchema, keys, 'These are no keys of receipts').keys;
  const signed = Buffer.from(JSON.stringify(JSON.parse(text).receipt));
  const by = known.find((key) =>
    verify(
      null,
      signed,
      createPublicKey({ key: { kty: key.kty, crv: key.crv, x: key.x }, format: 'jwk' }),
      Buffer.from(signature, 'base64url'),
    ),
  );
  if (by === undefined)
    throw new OperatorError(
      'receipt_invalid',
      'None of the keys signed the receipt: it was changed, or another installation made it.',
    );
  const { subject, state, issued_at } = receipt;
  return { subject, state: state as SubjectState['state'], issued_at, kid: by.kid };
};
