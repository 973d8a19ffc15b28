import type { Folder } from "./layout.ts";
import { isProseName } from "./layout.ts";

/**
 * What governs, checks and publishes a project: licences, rules for contributors, continuous integration, settings of
 * linters and of the site. Every project has the same, so it says nothing about how this one works. By the names that
 * services and tools ask for.
 */

const governing =
  /^(?:[a-z]+[-_])?(?:un)?licen[cs]es?(?:[-_.][\w.-]*)?$|^copying(?:[-_.][\w.-]*)?$|^(?:copyright|notice|patents|authors|contributors|maintainers|acknowledg(?:e?)ments|backers|sponsors|thanks|credits|contribut(?:ing|e|ion[-_]guide(?:lines)?)|code[-_]of[-_]conduct|conduct|governance|codeowners|funding|citation|dco|cla|releasing|release[-_]?(?:process|checklist|procedure)|pull[-_]request[-_]template|issue[-_]template)$/i;
/** Also subjects of documentation: only as services spell it. */
const spelledOut = /^(?:SECURITY|SUPPORT)$/;

/** What runs for the project: tests, releases, bots. */
const services =
  /^(?:appveyor|azure-pipelines[\w.-]*|bitbucket-pipelines|codecov|cloudbuild|renovate|netlify|dependabot|mkdocs|antora|_?toc|crowdin|jenkinsfile|sonar-project)\.(?:ya?ml|json5?|toml|properties)$|^jenkinsfile$|^make\.bat$/i;
/** Settings of linters, formatters and services; `.env.example` is what users of an application set. */
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

/** What services and editors read, and templates for who reports something. */
export function isProjectFolder({ name, counts }: Folder): boolean {
  return folders.has(name.toLowerCase()) || (counts.own === 0 && templates.test(name));
}

const templates = /^(?:licen[cs]es|issue_template|pull_request_template)$/i;
