import type { SkipReason } from "./reasons.ts";

/** The tables of skip.ts: files that are skipped because of their name alone. All names are lower case. */

const words = (text: string): string[] => text.trim().split(/\s+/);

const binaryExtensions = words(`
  png jpg jpeg jpe gif webp ico icns cur bmp tif tiff psd ai eps heic heif avif jp2 jxl raw xcf sketch fig
  mp3 mp4 m4a m4v wav ogg oga ogv opus flac aac webm mov avi mkv wmv flv mid midi
  pdf doc docx dotx xls xlsx xlsm ppt pptx odt ods odp odg rtf epub mobi pages numbers
  zip gz tgz bz2 tbz xz txz lzma lz lz4 zst br 7z rar tar jar war ear aar apk ipa dmg iso img deb rpm cab msi nupkg whl egg gem crx xpi vsix
  exe dll so dylib lib a o obj ko pdb ilk class pyc pyo pyd elc beam wasm node bin sys dex hex
  woff woff2 ttf ttc otf eot pfb pfm
  sqlite sqlite3 db db3 mdb accdb frm ibd ldb mmdb rdb dbf shp shx sbn sbx gpkg
  npy npz pkl pickle parquet arrow feather avro orc h5 hdf5 onnx pt pth ckpt safetensors gguf tflite pb mat rds rdata joblib
  mo gmo swf fla blend fbx glb 3ds stl usdz unity3d uasset nib lockb
  ds_store suo swp swo
`);

const dataExtensions = words(`
  po pot xlf xliff arb csv tsv psv jsonl ndjson geojson topojson kml gml gpx wkt svg
  ics vcf srt vtt sub eml mbox log fasta fastq ply prj cpg ldif har dae
`);

const secretExtensions = words("pem key p12 pfx p8 jks keystore kdbx ppk pkcs12 ovpn gpg");

const generatedExtensions = words("tsbuildinfo snap pbxproj");

function table(...entries: [string[], SkipReason][]): Map<string, SkipReason> {
  return new Map(entries.flatMap(([names, reason]) => names.map((name) => [name, reason] as const)));
}

/** By the last extension. */
export const byExtension = table(
  [binaryExtensions, "binary"],
  [dataExtensions, "data"],
  [secretExtensions, "secret"],
  [generatedExtensions, "generated"],
);

/** By the whole name. */
export const byName = table(
  [
    words(`
      package-lock.json npm-shrinkwrap.json yarn.lock pnpm-lock.yaml bun.lock deno.lock cargo.lock poetry.lock pdm.lock uv.lock pipfile.lock
      conda-lock.yml pixi.lock go.sum go.work.sum composer.lock gemfile.lock podfile.lock cartfile.resolved package.resolved mix.lock
      pubspec.lock flake.lock packages.lock.json paket.lock project.assets.json gradle.lockfile stack.yaml.lock cabal.project.freeze
      rebar.lock manifest.toml.lock .terraform.lock.hcl chart.lock module.bazel.lock buf.lock elm-stuff.lock
    `),
    "lock-file",
  ],
  [
    words(`
      id_rsa id_dsa id_ecdsa id_ed25519 .netrc _netrc .pgpass .my.cnf .htpasswd .git-credentials .pypirc .dockercfg .dockerconfigjson
      credentials credentials.json credentials.csv client_secret.json client_secrets.json service-account.json service_account.json
      secrets.json secrets.yml secrets.yaml secrets.toml .vault-token .boto .s3cfg master.key
      auth.json .npmrc _npmrc .credentials .credentials.json credentials.toml credentials.yml credentials.yaml credentials.ini
      oauth_creds.json application_default_credentials.json kubeconfig .htdigest .authinfo .smbcredentials .databrickscfg .terraformrc
    `),
    "secret",
  ],
  [words(".ds_store thumbs.db desktop.ini"), "binary"],
);

/** Paths that the tables would skip because of their name or folder, although their content is harmless. */
export const exceptions = new RegExp(
  [
    // `auth.json` as a command, a schema or a translation of the sign-in page has no secrets.
    String.raw`(?:^|/)(?:commands|schemas?|definitions|locales?|i18n|lang|langs|translations|messages)/(?:[^/]+/)?auth\.json$`,
    // Cargo's build settings; the rest of the folder is what cargo downloaded.
    String.raw`^(?:(?!node_modules/|vendor/)[^/]+/)*\.cargo/config(?:\.toml)?$`,
  ].join("|"),
  "i",
);
/** Matches every path that may be an exception; this test is cheaper than the full pattern. */
export const exceptionHint = /auth\.json$|\.cargo\/config/i;

/** Changelogs, which are prose in any format and grow with the project's age. */
export const changelogNames = /(?:^|\/)(?:changes|change[-_]?log|release[-_]?notes)\.(?:xml|ya?ml|json|html?|txt)$/i;

/** Names that need a pattern; tried in order, after the tables. */
export const byPattern: [RegExp, SkipReason][] = [
  [/^\.env(?:\.(?!example$|sample$|template$|dist$|defaults?$|schema$).*)?$/, "secret"],
  [/^(?:service[-_]?account|client[-_]secret)[\w.-]*\.json$/, "secret"],
  [/^[\w.-]*[-_.](?:credentials|creds)\.(?:json|ya?ml|toml|ini|csv|xml)$/, "secret"],
  [/[.-]min\.(?:js|mjs|cjs|css|html|svg)$/, "minified"],
  [/\.(?:js|mjs|cjs|jsx|ts|tsx|mts|css|scss|dart)\.map$/, "generated"],
  [/_pb2(?:_grpc)?\.pyi?$|_pb\.(?:js|ts|d\.ts|rb)$|_grpc_pb\.(?:js|ts|d\.ts)$/, "generated"],
  [/^zz_generated[._].*|\.(?:generated|gen)\.\w+$|_generated\.\w+$|\.pb\.(?:go|gw\.go|cc|h|swift)$/, "generated"],
  [/\.(?:designer\.cs|g\.cs|g\.i\.cs|g\.dart|freezed\.dart|bundle\.js|chunk\.js)$/, "generated"],
];

/** Matches every name that some pattern may match. Most names match none, so one test is enough. */
export const patternHint =
  /^\.env|account|client|cred|min\.|\.map$|_pb|generated|\.gen\.|\.pb\.|designer|\.g\.|freezed|bundle|chunk/;

/** Folders that never hold the workspace's own text, inside git or not. The walk does not enter them. */
export const skippedFolders = new Map<string, SkipReason>(
  table(
    [
      words(`
        node_modules bower_components jspm_packages .venv site-packages __pypackages__ __pycache__ .tox .nox .eggs .mypy_cache .pytest_cache
        .ruff_cache .yarn .pnpm-store .gradle .m2 .cargo .bundle .terraform .next .nuxt .svelte-kit .parcel-cache .turbo .angular .dart_tool
      `),
      "vendored",
    ],
    [words("__snapshots__ __image_snapshots__"), "generated"],
  ),
);

/** Folders of version control and of Dossier itself; they are not counted as skipped. */
export const hiddenFolders = new Set([".git", ".hg", ".svn", ".jj", ".bzr", ".dossier", "CVS"]);

/** Folders that hold third-party code when they contain a package manager's file or a licence. */
export const vendorFolders = new Set(["vendor", "vendors", "third_party", "third-party", "thirdparty", "pods"]);

/** Formats that are configuration when small and data when large: the most bytes that are indexed. */
export const largestByExtension = new Map<string, number>([
  ["json", 96 * 1024],
  ["json5", 96 * 1024],
  ["xml", 96 * 1024],
  // Configuration in YAML can be nearly this large: all settings of a linter (190 kB), a manual (147 kB).
  ["yaml", 256 * 1024],
  ["yml", 256 * 1024],
  ["sql", 256 * 1024],
  ["html", 256 * 1024],
  ["htm", 256 * 1024],
  ["txt", 512 * 1024],
  ["ipynb", 512 * 1024],
]);

/** The same formats, in folders of test data. */
export const fixtureFolders = new Set([
  "fixtures",
  "__fixtures__",
  "testdata",
  "test-data",
  "test_data",
  "cassettes",
  "snapshots",
]);
export const largestFixture = 16 * 1024;
