// Words that make a slot exclusive: things of one kind of which a project has one at a time, states that exclude each
// other, and verbs whose object says where, when or with what.

function words(text: string): string[] {
  return text.split(/\s+/).filter((word) => word !== '');
}

/** One line a kind. Two of one kind in the same place are two values of it. */
const kinds = `
  sql: postgresql postgres mysql mariadb sqlite cockroachdb aurora oracle mssql sqlserver neon planetscale yugabyte spanner tidb supabase
  documents: mongodb couchdb dynamodb firestore cosmosdb rethinkdb
  analytics: clickhouse bigquery snowflake redshift duckdb druid
  cache: redis valkey memcached dragonfly keydb
  queue: rabbitmq kafka nats sqs redpanda pulsar activemq kinesis zeromq bullmq sidekiq celery
  search: elasticsearch opensearch solr meilisearch typesense algolia
  runner: jest vitest mocha ava jasmine karma tap unittest pytest nose
  e2e: cypress playwright selenium puppeteer testcafe
  packages: npm yarn pnpm bun pip poetry uv pipenv conda
  bundler: webpack vite rollup esbuild parcel turbopack rspack
  lint: eslint biome tslint oxlint flake8 pylint ruff rubocop
  format: prettier black dprint gofmt
  ci: jenkins circleci travis buildkite drone teamcity actions bamboo
  forge: github gitlab bitbucket gitea codeberg forgejo
  cloud: aws gcp azure hetzner digitalocean linode ovh scaleway
  hosting: heroku vercel netlify fly.io render railway cloudflare
  files: s3 r2 gcs minio backblaze
  view: react vue svelte angular solid preact ember lit
  site: next.js nextjs nuxt remix astro gatsby sveltekit
  server: express fastify koa hono nestjs django flask fastapi rails laravel spring gin echo axum actix
  language: python go golang rust java kotlin typescript javascript ruby php elixir scala swift dart c++ c# zig
  mobile: flutter ionic swiftui
  orm: prisma drizzle typeorm sequelize knex kysely sqlalchemy hibernate
  editor: vim neovim helix emacs vscode zed intellij webstorm sublime cursor
  system: windows macos linux ubuntu fedora debian arch nixos
  monitor: datadog grafana loki newrelic splunk prometheus sentry honeycomb
  tracker: jira linear asana trello clickup shortcut
  chat: slack teams discord zoom meet mattermost
  flags: launchdarkly unleash flagsmith growthbook posthog
  style: tailwind tailwindcss bootstrap sass less
  orchestrator: kubernetes nomad swarm ecs
  infra: terraform pulumi ansible cloudformation opentofu cdk
  auth: auth0 okta keycloak clerk cognito
  api: rest graphql grpc trpc soap
  licence: mit apache-2.0 gpl agpl bsd mpl isc
  ids: uuid ulid nanoid cuid snowflake-id
  state: redux zustand mobx jotai recoil pinia vuex
`;

export const kindOf: ReadonlyMap<string, string> = new Map(
  kinds
    .split('\n')
    .filter((line) => line.includes(':'))
    .flatMap((line) => {
      const [kind, list] = line.split(': ');
      return words(list ?? '').map((word): [string, string] => [word, (kind ?? '').trim()]);
    }),
);

export const opposites: ReadonlyMap<string, string> = new Map(
  words(`enabled/disabled on/off required/optional mandatory/optional public/private allowed/forbidden tabs/spaces
    single/double light/dark always/never true/false open/closed sync/async synchronous/asynchronous manual/automatic
    manually/automatically before/after up/down online/offline merge/rebase squash/rebase opt-in/opt-out
    camelcase/snake_case kebab-case/snake_case camelcase/kebab-case kebab-case/camelcase snake_case/pascalcase
    soft/hard strict/loose lazily/eagerly lazy/eager local/remote short/long free/paid daily/weekly weekly/monthly
    nightly/weekly hourly/daily daily/nightly encrypted/unencrypted stable/beta`).flatMap((pair) => {
    const [a, b] = pair.split('/') as [string, string];
    return [
      [a, b],
      [b, a],
    ] as [string, string][];
  }),
);

/** What comes before a value of which there is one: the root of a verb (or nothing after "be") and its preposition. */
const places = words(`
  listen:on listen:at run:on run:in run:at run:under run:with run:by run:every live:in live:at live:under reside:in work:at
  work:for work:from deploy:to deploy:from deploy:with deploy:on deploy:every store:in store:on store:as keep:in keep:on
  keep:for keep:at host:on host:at host:by host:in write:in write:with write:to build:with build:by build:on build:in ship:to
  ship:on ship:every send:to send:via send:through route:to route:through cut:every cut:on cut:from go:out_on go:to go:out_at
  go:out_every start:at start:on start:in start:with pin:to expire:after expire:in limit:to cap:at default:to base:on base:in
  own:by maintain:by lead:by manage:by do:by do:with do:in handle:by serve:by serve:from serve:on back:by power:by render:by
  render:with test:with lint:with lint:by format:with format:by install:with bundle:with bundle:by compile:with read:from
  load:from log:to write:to publish:to publish:on publish:every push:to schedule:for schedule:at schedule:on set:to
  call:- name:- point:to connect:to connect:through authenticate:with authenticate:via encrypt:with sign:with sign:by
  manage:with manage:in manage:by define:in configure:in document:in track:in backup:to retain:for rotate:every reset:every
  reset:at happen:on happen:at happen:every meet:on meet:at take:place_on be:at be:on be:in be:under be:every be:by
  paginate:with paginate:by merge:to merge:into merge:via target:- require:- report:to study:at study:in stay:in train:at
  belong:to release:on release:every release:from poll:every retry:- sync:to sync:every trigger:by trigger:on generate:by
  generate:from generate:with monitor:with monitor:by alert:through
`);

/** Each a row of words in their plain form: `listen on`, `go out on`, `call`. */
export const placePhrases: readonly string[] = places.map((entry) => entry.replace(':-', '').replace(/[:_]/g, ' '));

/** Who does it alone: another subject for the same object takes the place. */
export const duties: readonly string[] = words('own maintain lead manage head chair run administer');

/** Nouns of which their owner has one, so that "the X is A" and "the X is B" exclude each other. */
export const slotNouns: ReadonlySet<string> = new Set(
  words(`
  name title owner maintainer lead leader manager boss port host hostname url domain address path folder directory branch
  database db store datastore broker queue cache bus editor ide language framework library tool runner bundler linter
  formatter licence license version limit timeout ttl size format encoding region zone timezone default colour color
  theme mode license strategy policy convention style provider registry cloud platform engine orm shell terminal browser
  ci backend frontend hosting deadline date day time schedule interval cadence threshold quota budget minimum maximum
  salary email username nickname job role birthday age pet dog cat car phone number key prefix suffix separator contact
  approver reviewer oncall on-call bucket cluster namespace endpoint proxy gateway index retention password algorithm
  hash id file entrypoint entry command script test suite stack os laptop machine
`),
);
