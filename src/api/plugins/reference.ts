import reference from '@scalar/fastify-api-reference';
import type { FastifyInstance } from 'fastify';

/** `/docs`: the API for people, from the same document; everything it shows is served from here. */
export const registerReference = async (app: FastifyInstance): Promise<void> => {
  await app.register(reference, {
    routePrefix: '/docs',
    configuration: {
      url: '/v2/openapi.json',
      pageTitle: 'Sightline API',
      withDefaultFonts: false,
      telemetry: false,
      agent: { disabled: true },
      mcp: { disabled: true },
      showDeveloperTools: 'never',
      hideClientButton: true,
    },
  });
};
