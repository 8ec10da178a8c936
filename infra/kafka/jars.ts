import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);
const POM = fileURLToPath(new URL('pom.xml', import.meta.url));
const CACHE = fileURLToPath(new URL('../../node_modules/.cache/kafka', import.meta.url));
const COPY = 'org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy-dependencies';

/** What this machine lacks to run a broker, as a sentence; null if nothing. */
export const brokerLacks = async (): Promise<string | null> => {
  const version = await run('java', ['-version']).catch(() => null);
  if (version === null) return 'Java is not installed';
  const major = Number(/version "(\d+)/.exec(version.stderr)?.[1]);
  if (!(major >= 17)) return `Kafka 4 requires Java 17 or newer; this is Java ${major}`;
  try {
    await brokerJars();
    return null;
  } catch (error) {
    return (error as Error).message;
  }
};

let copying: Promise<string> | undefined;

/**
 * Folder of the broker's jars; Maven downloads them the first time.
 * @throws {Error} naming what is missing.
 */
export const brokerJars = (): Promise<string> => {
  copying ??= copyJars();
  return copying;
};

const copyJars = async (): Promise<string> => {
  const version = /kafka_2\.13<\/artifactId>\s*<version>([^<]+)/.exec(await readFile(POM, 'utf8'))?.[1];
  const folder = join(CACHE, String(version));
  if (existsSync(folder)) return folder;
  const half = `${folder}.${process.pid}`;
  await mkdir(CACHE, { recursive: true });
  try {
    await run('mvn', ['-q', '-B', '-f', POM, COPY, `-DoutputDirectory=${half}`, '-DincludeScope=runtime']);
    await rename(half, folder).catch((error: NodeJS.ErrnoException) => {
      // Another process downloaded them meanwhile.
      if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error;
    });
  } catch (error) {
    const missing = (error as NodeJS.ErrnoException).code === 'ENOENT';
    throw new Error(missing ? 'Maven is not installed' : "Maven failed to download the broker's jars", {
      cause: error,
    });
  } finally {
    await rm(half, { recursive: true, force: true });
  }
  return folder;
};
