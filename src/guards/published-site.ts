import { publishingCall } from '../shell/tasks/release-tools.ts';
import type { Finding } from './finding.ts';

/** By which such tools throw away what the branch has: mkdocs, ghp-import, gh-pages. */
const forcing = / (?:--force|--no-history|-f)(?= |$)/g;

/**
 * What is said of the push of a tool that publishes a site: its commits are its own, so nothing is told by comparing what is
 * checked out with the site, and what is proposed for a branch would publish the sources.
 *
 * @param through what was looked through to find the push
 */
export function ofPublishedSite(found: readonly Finding[], through: readonly string[]): readonly Finding[] {
  const call = publishingCall(through);
  return call === null
    ? found
    : found
        .filter(({ rule }) => rule !== 'diverged')
        .map((finding) => (/force-push$/.test(finding.rule) ? { ...finding, ...instead(call, finding) } : finding));
}

/** The tool without force, where it may do without: its new commit stands on those that are there. */
function instead(call: string, { evidence }: Finding): Pick<Finding, 'message' | 'suggestion'> {
  const [ref = 'refs/heads/gh-pages'] = evidence.refs;
  const plain = call.replace(forcing, '');
  return {
    message: `${call} may overwrite ${ref.replace('refs/heads/', '')} on the remote: the commits there would be lost.`,
    suggestion: plain === call ? `git ls-remote origin ${ref}` : plain,
  };
}
