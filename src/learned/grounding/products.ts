/**
 * Names of products by purpose. They look like identifiers but no code base defines them; two of one kind are
 * alternatives to each other, two of different kinds are not.
 */
const byKind = {
  "database relational":
    "PostgreSQL Postgres MySQL MariaDB SQLite CockroachDB Oracle MSSQL SQLServer DuckDB libSQL Turso Supabase PlanetScale",
  "database document": "MongoDB CouchDB DynamoDB Firestore Cassandra Neo4j",
  "database keys": "Redis Memcached Valkey LevelDB RocksDB etcd",
  "database search": "Elasticsearch OpenSearch Solr Meilisearch Typesense Algolia",
  "database warehouse": "Snowflake BigQuery Redshift ClickHouse InfluxDB TimescaleDB",
  cloud:
    "AWS Azure GCP Heroku Netlify Vercel DigitalOcean Cloudflare Linode Hetzner Fly.io Railway OpenStack Lightsail S3 GCS R2",
  system:
    "Linux macOS Windows Ubuntu Debian Fedora CentOS Alpine FreeBSD OpenBSD iOS iPadOS tvOS watchOS Android openSUSE RHEL NixOS ChromeOS WSL",
  language:
    "JavaScript TypeScript Python Ruby Java Kotlin Scala Golang Go Rust Swift PHP Perl Haskell Elixir Erlang Clojure Dart Lua CoffeeScript ActionScript ReScript PureScript F# C# C++ WebAssembly Zig OCaml",
  "packages js": "npm pnpm yarn bun",
  "packages python": "pip Poetry Pipenv uv Conda",
  "packages other": "Maven Gradle Bundler Composer NuGet CocoaPods",
  "testing unit": "Jest Vitest Mocha Jasmine pytest unittest RSpec JUnit TestNG NUnit xUnit Minitest PHPUnit Ava Karma",
  "testing browser": "Cypress Playwright Selenium Puppeteer WebdriverIO",
  integration:
    "CircleCI Jenkins TravisCI Travis Buildkite TeamCity Bamboo Drone GitHubActions GitLabCI AppVeyor Concourse Tekton ArgoCD",
  hosting: "GitHub GitLab Bitbucket Gitea Codeberg SourceHut Gerrit SourceForge",
  formatter: "Prettier Biome Black Ruff autopep8 YAPF gofmt rustfmt dprint clang-format",
  linter: "ESLint TSLint Pylint flake8 RuboCop golangci-lint Clippy StandardJS oxlint JSHint SonarQube",
  bundler: "webpack Vite Rollup esbuild Parcel Turbopack Rspack Snowpack Browserify SWC",
  queue: "RabbitMQ Kafka NATS ActiveMQ ZeroMQ SQS Celery Sidekiq BullMQ Pulsar Kinesis Resque",
  editor: "VSCode IntelliJ PyCharm WebStorm Vim Neovim Emacs Sublime Zed Xcode Eclipse JetBrains GoLand RubyMine",
  shell: "bash zsh fish PowerShell",
  markup: "JSON YAML TOML XML CSV Protobuf MessagePack Avro Parquet Markdown AsciiDoc reStructuredText LaTeX INI",
  frontend: "React Vue Svelte Angular AngularJS Preact SolidJS Ember jQuery Lit Qwik HTMX Alpine.js",
  server: "Django Flask FastAPI Express Fastify NestJS Rails Sinatra Laravel Symfony SpringBoot Gin Echo Koa Hono",
  styling: "Tailwind TailwindCSS Bootstrap Sass Less CSSModules Bulma Emotion",
  proxy: "nginx Apache Caddy HAProxy Traefik Envoy",
  orchestration: "Kubernetes Nomad DockerSwarm ECS Mesos",
  watching: "Datadog Grafana Sentry NewRelic Splunk Loggly Honeycomb Prometheus Graylog",
  chat: "Slack Discord MSTeams Mattermost WhatsApp",
  payment: "Stripe PayPal Braintree Adyen Klarna",
  mail: "SendGrid Mailgun Postmark SES Mailchimp",
  tickets: "Jira Linear Trello Asana YouTrack Bugzilla ClickUp",
  licence: "MIT GPL LGPL AGPL BSD MPL Unlicense Apache-2.0 GPL-3.0 BSD-3-Clause ISC",
  style: "camelCase snake_case kebab-case PascalCase",
} as const;

export type ProductKind = keyof typeof byKind;

/** More words with inner capitals, and domains, that are not code. */
const others =
  "GraphQL OpenAPI OpenAI ChatGPT DevOps DevTools WebSocket WebSockets WebRTC WebGL OAuth OAuth2 OpenID NoSQL NewSQL gRPC mTLS IPv4 IPv6 WiFi " +
  "YouTube LinkedIn iPhone iPad MacBook AirPods eBay PyPI PyTorch NumPy SciPy TensorFlow scikit-learn SQLAlchemy WordPress PagerDuty OpsGenie " +
  "CloudFront CloudFormation CloudWatch CloudTrail RubyGems DockerHub ReadTheDocs StackOverflow HackerNews FreeCodeCamp TechCrunch PhD GmbH " +
  "DOMPurify ZooKeeper LaunchDarkly GoDaddy SharePoint OneDrive OneNote PowerPoint PowerBI QuickBooks HubSpot MailHog LocalStack OpenTelemetry " +
  "Node.js Next.js Nuxt.js Vue.js React.js Express.js Nest.js Angular.js Ember.js Backbone.js Three.js D3.js Chart.js Moment.js Day.js Socket.io " +
  "Alpine.js P5.js Discord.js Require.js Underscore.js Handlebars.js Mustache.js Knockout.js Solid.js Electron.js Deno.js Bun.js Hapi.js Koa.js " +
  "Sails.js Meteor.js Babel.js Video.js Leaflet.js Anime.js Ext.js Plotly.js docs.rs lib.rs bun.sh esm.sh brew.sh get.sh starship.rs " +
  "CamelCase camelCase PascalCase snake_case kebab-case TitleCase SCREAMING_SNAKE_CASE UPPER_CASE lower_case x86_64 x64 arm64 amd64 iSCSI " +
  "JavaDoc JSDoc TSDoc PyDoc GoDoc RDoc JVM IDEs APIs URLs DBs QAs";

const kinds = new Map<string, ProductKind>(
  (Object.entries(byKind) as [ProductKind, string][]).flatMap(([kind, names]) =>
    names.split(" ").map((name) => [name.toLowerCase(), kind] as const),
  ),
);
const all = new Set([...kinds.keys(), ...others.split(" ").map((name) => name.toLowerCase())]);

export function isProduct(word: string): boolean {
  const lower = word.toLowerCase();
  return all.has(lower) || all.has(lower.replace(/s$/, "")) || all.has(lower.replace(/\.?js$/, ""));
}

/** `database relational`: the kind, and its subkind. */
export function productKind(word: string): ProductKind | undefined {
  const lower = word.toLowerCase();
  return kinds.get(lower) ?? kinds.get(lower.replace(/\.?js$/, ""));
}
