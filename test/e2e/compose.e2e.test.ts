import { fileURLToPath } from 'node:url';
import { DockerComposeEnvironment, getContainerRuntimeClient } from 'testcontainers';
import { describe, expect, it } from 'vitest';
import { until } from '../support/wait.ts';

const INFRA = fileURLToPath(new URL('../../infra', import.meta.url));

const docker = await getContainerRuntimeClient().then(
  () => true,
  () => false,
);
if (!docker) console.log('skipped, as no Docker engine runs here: the compose files');

const passwords = {
  POSTGRES_PASSWORD: 'a-test',
  REPLICATION_PASSWORD: 'a-test',
  GRAFANA_PASSWORD: 'a-test',
  OPERATIONS_TOKEN: 'a-token-of-this-test',
};
const PORT = 8080;

describe.skipIf(!docker)('the compose files', () => {
  it.each([
    ['compose.yaml', 'sightline-1'],
    ['compose.cluster.yaml', 'api-1'],
  ])('%s comes up and is ready', async (file, name) => {
    const up = await new DockerComposeEnvironment(INFRA, file).withEnvironment(passwords).withBuild().up();
    try {
      const container = up.getContainer(name);
      const url = `http://${container.getHost()}:${container.getMappedPort(PORT)}`;
      await until('it is ready', async () => (await fetch(`${url}/readyz`)).status === 200);
      expect((await fetch(`${url}/v2/`)).status).toBe(401);
    } finally {
      await up.down({ removeVolumes: true });
    }
  });
});
