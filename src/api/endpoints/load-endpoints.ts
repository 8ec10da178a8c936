import { readdir } from 'node:fs/promises';
import type { Endpoint } from '../contract/endpoint.ts';

/** Loads every endpoint: one per file below `endpoints/<group>/`. */
export const loadEndpoints = async (): Promise<readonly Endpoint[]> => {
  const files = (await readdir(FOLDER, { recursive: true }))
    .filter((name) => /^\w+\/[A-Za-z]+\.[jt]s$/.test(name))
    .sort();
  const modules = await Promise.all(
    files.map(async (file) => (await import(new URL(file, FOLDER).href)) as { default?: Endpoint }),
  );
  return modules.map((module, i) => {
    const { default: endpoint } = module;
    const file = files[i] ?? '';
    if (endpoint === undefined) throw new Error(`endpoints/${file} has no default export`);
    if (file.slice(0, -'.ts'.length) !== `${endpoint.group}/${endpoint.operation}`) {
      throw new Error(
        `endpoints/${file} holds ${endpoint.group}/${endpoint.operation}: a file is named after its operation`,
      );
    }
    return endpoint;
  });
};

const FOLDER = new URL('./', import.meta.url);
