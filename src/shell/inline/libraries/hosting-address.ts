/** The beginning of a path in the interface of a hosting service: GitHub, GitLab and Gitea (`/api/v4/`), Bitbucket, Azure. */
export const interfaceAddress = /(?:api\.github\.com|\/api\/v\d|api\.bitbucket\.org\/2\.0|\/_apis)\//;
