# Sightline: one image for every role. Postgres is not in it: set DATABASE_URL. Neither is Chromium (docs/operations/browser.md).
FROM node:26-slim AS packages
WORKDIR /sightline
COPY package.json package-lock.json ./
# Optional is only the embedded Postgres.
RUN npm ci --omit=dev --omit=optional --ignore-scripts && npm cache clean --force

FROM node:26-slim
ENV NODE_ENV=production HOST=0.0.0.0 PORT=8080 LOG_FORMAT=json SIGHTLINE_HOME=/var/lib/sightline
WORKDIR /sightline
COPY --from=packages /sightline/node_modules node_modules
COPY package.json LICENSE ./
COPY src src
COPY docs/api.md docs/api.md
COPY infra/migrations infra/migrations
COPY infra/functions infra/functions
COPY infra/simulator infra/simulator
COPY infra/calibrate infra/calibrate
RUN install -d -o node -g node /var/lib/sightline
USER node
EXPOSE 8080
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/livez`).then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "--max-semi-space-size=16", "src/cli/main.ts"]
CMD ["start"]
