// Words that decide what is an entity: English that merely follows a command, names of languages' own words, brands that
// look like code, and products that have versions. Lists, because no pattern tells `Node.js` from `index.js`.

function words(text: string): ReadonlySet<string> {
  return new Set(text.split(/\s+/).filter((word) => word !== ''));
}

/** What follows `npm install` in a sentence without being a package. */
export const plainEnglish = words(`
  a about after again against all already also always an and any are as at be because been before being below both but
  by can cannot command commands could did do does doing done during each either else error errors every everything exits
  fail failed failing fails failure finished first fix fixed fixes for from gets globally goes got had hang hangs has
  have having here how if in inside instead into is it its itself just last later let like locally made make manually may
  might more most must my need needed needs never new next no none not nothing now of off on once one only or other our
  out output over own package packages prints process ran really reports resolves return returns run running runs same
  says script see should since so some something somewhere step steps still stops succeeded succeeds such succeed take
  takes than that the their them then there these they thing things this those through times to today together too took
  tried try twice under until up us use used using very via want was we well went were what when where whether which
  while who why will with within without work worked works worse would yet you your dependencies dependency modules
  module your-package package-name stage phase hook log logs time
`);

/** Of programming languages and shells: said of every project, so they tie nothing together. */
export const languageWords = words(`
  abstract and any array as assert async await bash bigint bool boolean break byte case catch char class const continue
  cd cat curl chmod cp ls mkdir mv rm grep sed awk echo sudo ssh tar
  debugger def default del delete do double elif else enum error exception except export extends extern false final
  finally float fn for foreach from func function global go goto if impl implements import in infer instanceof int
  integer interface into is keyof lambda let long loop match mod mut namespace never new nil none nonlocal not null
  number object of or package pass private protected public pub raise readonly record ref return satisfies self set get
  short signed sizeof static str string struct super switch symbol template this throw throws trait true try type typeof
  undefined union unknown unsafe unsigned unset use using var void volatile when where while with yield
  foo bar baz qux todo fixme main master develop head origin upstream yes no on off ok warn info debug trace
  git node npm npx yarn pnpm bun deno python python3 pip cargo rustc docker make
  some every all each args arguments body code config content core data details file id index input item items key keys
  limit list log message mode name names node_modules options output param params path pattern props query result
  results root state status tag target test tests text title token user value values version
`);

/** Written like code by their owners. */
export const brands = words(`
  macOS iOS iPadOS watchOS tvOS visionOS openSUSE openSSH openSSL eBay iPhone iPad iCloud iMessage jQuery gRPC
  GitHub GitLab JavaScript TypeScript PostgreSQL MySQL SQLite MongoDB YouTube LinkedIn WhatsApp PayPal OpenAI DeepMind
  DevOps WordPress PowerShell CoffeeScript ClickHouse CloudFront DynamoDB GraphQL LaTeX MacBook FaceTime AirPods
  FastAPI TensorFlow PyTorch NumPy SciPy IntelliJ WebStorm PyCharm VSCode NestJS NextJS NodeJS VueJS ReactJS SvelteKit
  nodeJS nextJS vueJS reactJS whatsApp gitHub gitLab javaScript typeScript youTube openAI webAssembly webSocket
  webSockets eCommerce eLearning eMail dotNET noSQL NoSQL fooBar camelCase kebabCase
`);

/** `X.js` that is a product and not a file. */
export const brandStems = words(`
  node vue next nuxt express react three d3 ember backbone chart moment p5 angular knockout alpine solid discord nest
  socket passport handlebars mocha koa feathers meteor electron day lodash postgres graphql
`);

/** Names known well enough that a ticked word alone is a package. */
export const knownPackages = words(`
  react vue svelte angular next nuxt express fastify koa hono lodash underscore axios zod ajv vite vitest jest mocha
  webpack rollup esbuild eslint prettier biome typescript ts-node tsx dotenv chalk commander yargs prisma kysely drizzle
  sequelize mongoose redis ioredis pg mysql2 sqlite3 socket.io ws rxjs redux zustand immer dayjs moment luxon uuid nanoid
  playwright puppeteer cypress storybook tailwindcss postcss sass nodemon pm2 husky turbo lerna nx electron undici
  django flask fastapi numpy pandas scipy matplotlib requests httpx pytest pydantic sqlalchemy celery gunicorn uvicorn
  boto3 tensorflow torch transformers scikit-learn black ruff mypy poetry setuptools alembic jinja2 aiohttp
  serde tokio anyhow thiserror clap reqwest axum actix-web rayon hyper sqlx diesel tracing rand regex
  rails sinatra sidekiq devise rspec rubocop laravel symfony phpunit
`);

const productList = `
  node=node nodejs=node node.js=node npm=npm yarn=yarn pnpm=pnpm bun=bun deno=deno python=python python3=python
  cpython=python ruby=ruby go=go golang=go rust=rust rustc=rust cargo=cargo java=java jdk=jdk openjdk=jdk kotlin=kotlin
  swift=swift php=php perl=perl scala=scala elixir=elixir typescript=typescript tsc=typescript react=react
  react.js=react reactjs=react vue=vue vue.js=vue vuejs=vue angular=angular svelte=svelte next.js=next nextjs=next
  next=next nuxt=nuxt nuxt.js=nuxt vite=vite vitest=vitest webpack=webpack rollup=rollup esbuild=esbuild babel=babel
  eslint=eslint prettier=prettier jest=jest django=django flask=flask fastapi=fastapi rails=rails laravel=laravel
  express=express electron=electron prisma=prisma tailwind=tailwind postgres=postgresql postgresql=postgresql
  pg=postgresql mysql=mysql mariadb=mariadb sqlite=sqlite sqlite3=sqlite redis=redis mongodb=mongodb mongo=mongodb
  docker=docker kubernetes=kubernetes k8s=kubernetes helm=helm terraform=terraform ubuntu=ubuntu debian=debian
  alpine=alpine fedora=fedora centos=centos macos=macos windows=windows ios=ios android=android gcc=gcc clang=clang
  llvm=llvm cmake=cmake gradle=gradle maven=maven git=git nginx=nginx apache=apache-httpd kafka=kafka
  elasticsearch=elasticsearch rabbitmq=rabbitmq chrome=chrome chromium=chromium firefox=firefox safari=safari
  openssl=openssl glibc=glibc musl=musl cuda=cuda pytorch=pytorch torch=pytorch tensorflow=tensorflow numpy=numpy
  pandas=pandas pip=pip poetry=poetry bundler=bundler composer=composer .net=.net dotnet=.net tls=tls oauth=oauth
  playwright=playwright cypress=cypress zod=zod axios=axios lodash=lodash hono=hono fastify=fastify xcode=xcode
  spring_boot=spring-boot react_native=react-native tailwind_css=tailwind visual_studio=visual-studio
`;

/** What may stand before a version, by its lower-case spellings; two words are joined by `_`. */
export const products: ReadonlyMap<string, string> = new Map(
  productList
    .split(/\s+/)
    .filter((pair) => pair !== '')
    .map((pair) => pair.split('=') as [string, string]),
);

/** Products that are also plain words: a whole number after them is seldom a version. */
export const everydayProducts = words('go next swift rust express bun helm jest git ruby apache alpine maven poetry');

/** After a whole number these make it a count. */
export const units = words(`
  times days day hours hour minutes minute seconds second ms weeks months years percent nodes instances replicas files
  lines servers containers pods steps users people rows requests workers threads processes bytes kb mb gb connections
  errors warnings tests bugs issues ways reasons things options jobs queues
`);
