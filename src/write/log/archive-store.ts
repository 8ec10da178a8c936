import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { errorMessage } from '../../kernel/errors.ts';
import { LogUnavailableError } from './port.ts';

/** Where archive files are. */
export interface ArchiveStore {
  /** Writes a file, in place of one of that name. */
  write(name: string, content: Uint8Array): Promise<void>;
  /** @throws {LogUnavailableError} if it can't be read. */
  read(name: string): Promise<Uint8Array>;
  /** Removes a file, if it is there. */
  remove(name: string): Promise<void>;
}

/** The settings that say where. */
export interface ArchiveSettings {
  readonly LOG_ARCHIVE?: string | undefined;
  readonly LOG_ARCHIVE_ENDPOINT?: string | undefined;
}

/** A folder, or a bucket: `s3://bucket/prefix`. */
export const openArchiveStore = async ({
  LOG_ARCHIVE: place = '',
  LOG_ARCHIVE_ENDPOINT: endpoint,
}: ArchiveSettings): Promise<ArchiveStore> => {
  const [bucket = '', ...prefix] = place.startsWith('s3://') ? place.slice('s3://'.length).split('/') : [];
  const store =
    bucket === ''
      ? folderStore(place)
      : await bucketStore(bucket, prefix.filter((part) => part !== '').join('/'), endpoint);
  return {
    ...store,
    read: async (name) => {
      try {
        return await store.read(name);
      } catch (error) {
        throw new LogUnavailableError(`the archive file ${name} can't be read: ${errorMessage(error)}`, {
          cause: error,
        });
      }
    },
  };
};

const folderStore = (folder: string): ArchiveStore => ({
  write: async (name, content) => {
    const file = join(folder, name);
    await mkdir(dirname(file), { recursive: true, mode: 0o700 });
    await writeFile(`${file}.draft`, content, { mode: 0o600, flush: true });
    await rename(`${file}.draft`, file);
  },
  read: (name) => readFile(join(folder, name)),
  remove: (name) => rm(join(folder, name), { force: true }),
});

/** Credentials and region come from the environment, as for every client of AWS. */
const bucketStore = async (
  bucket: string,
  prefix: string,
  endpoint: string | undefined,
): Promise<ArchiveStore> => {
  const { DeleteObjectCommand, GetObjectCommand, ListObjectVersionsCommand, PutObjectCommand, S3Client } =
    await import('@aws-sdk/client-s3');
  const client = new S3Client({
    region: process.env.AWS_REGION ?? 'us-east-1',
    // Compatible stores have buckets as paths, and know none of the newer checksums.
    ...(endpoint === undefined
      ? {}
      : {
          endpoint,
          forcePathStyle: true,
          requestChecksumCalculation: 'WHEN_REQUIRED' as const,
          responseChecksumValidation: 'WHEN_REQUIRED' as const,
        }),
  });
  const keyOf = (name: string) => (prefix === '' ? name : `${prefix}/${name}`);
  /** A bucket with versions keeps what was overwritten or deleted: each version is deleted by itself. */
  const removeVersions = async (key: string): Promise<void> => {
    await client.send(new DeleteObjectCommand({ Bucket: bucket, Key: key }));
    const { Versions = [], DeleteMarkers = [] } = await client
      .send(new ListObjectVersionsCommand({ Bucket: bucket, Prefix: key }))
      // A compatible store may know no versions.
      .catch(() => ({ Versions: [], DeleteMarkers: [] }));
    for (const { Key, VersionId } of [...Versions, ...DeleteMarkers])
      if (Key === key && VersionId !== undefined && VersionId !== 'null')
        await client.send(new DeleteObjectCommand({ Bucket: bucket, Key: key, VersionId }));
  };
  return {
    write: async (name, content) => {
      await client.send(new PutObjectCommand({ Bucket: bucket, Key: keyOf(name), Body: content }));
    },
    read: async (name) => {
      const { Body } = await client.send(new GetObjectCommand({ Bucket: bucket, Key: keyOf(name) }));
      if (Body === undefined) throw new Error('it has no content');
      return Body.transformToByteArray();
    },
    remove: (name) => removeVersions(keyOf(name)),
  };
};
