import type { Folder } from "./layout.ts";
import { isProseName } from "./layout.ts";

/**
 * Files that govern, check and publish a project: licences, rules for contributors, continuous integration, settings of
 * linters and of the site. They are alike in every project, so they say nothing about how this one works. They are
 * recognised by the names that services and tools require.
 */

const governing =
  /^(?:[a-z]+[-_])?(?:un)?licen[cs]es?(?:[-_.][\w.-]*)?$|^copying(?:[-_.][\w.-]*)?$|^(?:copyright|notice|patents|authors|contributors|maintainers|acknowledg(?:e?)ments|backers|sponsors|thanks|credits|contribut(?:ing|e|ion[-_]guide(?:lines)?)|code[-_]of[-_]conduct|conduct|governance|codeowners|funding|citation|dco|cla|releasing|release[-_]?(?:process|checklist|procedure)|pull[-_]request[-_]template|issue[-_]template)$/i;
/** These names may also be subjects of documentation, so they count only in the spelling that services require. */
const spelledOut = /^(?:SECURITY|SUPPORT)$/;

/** Configuration of services that run for the project: tests, releases, bots. */
const services =
  /^(?:appveyor|azure-pipelines[\w.-]*|bitbucket-pipelines|codecov|cloudbuild|renovate|netlify|dependabot|mkdocs|antora|_?toc|crowdin|jenkinsfile|sonar-project)\.(?:ya?ml|json5?|toml|properties)$|^jenkinsfile$|^make\.bat$/i;
/**
 * Settings of linters, formatters and services. `.env.example` is excluded: it has the settings for users of the
 * application.
 */
const dotted = /^\.(?!env\b)[\w-]+(?:[.-][\w-]+)*$/;
const contents = /^(?:SUMMARY|_sidebar|_navbar|nav)\.(?:md|adoc)$/;

export function isProjectFile(name: string, isOwnCode: boolean): boolean {
  if (isOwnCode) return false;
  if (services.test(name) || contents.test(name) || dotted.test(name)) return true;
  const stem = name.replace(/\.(?:md|markdown|rst|txt|adoc|org|rdoc|html?|ya?ml|cff)$/i, "");
  const isText = stem !== name || isProseName(name) || /^[A-Z][A-Z0-9._-]+$/.test(name);
  return isText && (governing.test(stem) || spelledOut.test(stem));
}

const folders = new Set([
  ...".github .gitlab .gitea .forgejo .circleci .buildkite .azure .azuredevops .semaphore .teamcity .woodpecker".split(
    " ",
  ),
  ...".devcontainer .husky .vscode .idea .tx".split(" "),
]);

/** Whether a folder has settings of services and editors, or templates for bug reports and the like. */
export function isProjectFolder({ name, counts }: Folder): boolean {
  return folders.has(name.toLowerCase()) || (counts.own === 0 && templates.test(name));
}

const templates = /^(?:licen[cs]es|issue_template|pull_request_template)$/i;
