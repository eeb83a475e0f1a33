// Word lists for entities: keywords of programming languages, and brands that look like code. No pattern can distinguish
// `Node.js` from `index.js`.

function words(text: string): ReadonlySet<string> {
  return new Set(text.split(/\s+/).filter((word) => word !== ''));
}

/** Programming languages and shells: too frequent in all projects to link anything. */
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

/** Brands written like code. */
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
