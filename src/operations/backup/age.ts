/** Encryption of backups with age (age-encryption.org): for public keys, so that whoever makes backups can't read them. */

import { readFile } from 'node:fs/promises';
import { ReadableStream } from 'node:stream/web';
import { errorMessage, OperatorError } from '../../kernel/errors.ts';

/** A step between a file and its contents. */
export type Step = (source: AsyncIterable<Uint8Array>) => AsyncGenerator<Uint8Array, void, undefined>;

/** Ends the names of encrypted files. */
export const SEALED = '.age';

/** Loaded when it is used: most backups are not encrypted. */
const load = () => import('age-encryption');

const streamOf = (source: AsyncIterable<Uint8Array>) =>
  ReadableStream.from(source) as unknown as Parameters<
    InstanceType<Awaited<ReturnType<typeof load>>['Encrypter']>['encrypt']
  >[0] &
    globalThis.ReadableStream<Uint8Array>;

/** @throws {OperatorError} `argument_invalid` for what is no recipient. */
export const sealedFor = async (recipients: readonly string[]): Promise<Step> => {
  const { Encrypter } = await load();
  const encrypter = new Encrypter();
  for (const recipient of recipients) {
    try {
      encrypter.addRecipient(recipient);
    } catch (error) {
      throw new OperatorError(
        'argument_invalid',
        `"${recipient}" is no recipient of age: one begins with age1`,
        {
          cause: error,
        },
      );
    }
  }
  return async function* seal(source) {
    for await (const chunk of await encrypter.encrypt(streamOf(source))) yield chunk;
  };
};

/**
 * @param path a file with identities of age, a line each, as `age-keygen` makes it.
 * @throws {OperatorError} `backup_sealed` if it has none.
 */
export const openedWith = async (path: string): Promise<Step> => {
  const { Decrypter } = await load();
  const decrypter = new Decrypter();
  try {
    const lines = (await readFile(path, 'utf8')).split('\n').map((line) => line.trim());
    for (const line of lines) if (line !== '' && !line.startsWith('#')) decrypter.addIdentity(line);
  } catch (error) {
    // A message of the library may have the line.
    const why =
      (error as { code?: string }).code === undefined ? 'a line is no identity of age' : errorMessage(error);
    throw new OperatorError('backup_sealed', `${path} can't be used: ${why}`);
  }
  return async function* open(source) {
    const plain = await decrypter.decrypt(streamOf(source)).catch((error: unknown) => {
      throw new OperatorError(
        'backup_sealed',
        `The backup is encrypted for others than ${path} has: ${errorMessage(error)}`,
        {
          cause: error,
        },
      );
    });
    for await (const chunk of plain) yield chunk;
  };
};
