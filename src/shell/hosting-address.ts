/** The beginning of a path in the interface of a hosting service: GitHub, GitLab and Gitea (`/api/v4/`), Bitbucket. */
export const interfaceAddress = /(?:api\.github\.com|\/api\/v\d|api\.bitbucket\.org\/2\.0)\//;
