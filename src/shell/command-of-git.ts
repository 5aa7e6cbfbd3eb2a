/** git with a subcommand that does more than look, as a script says it or as a list of words does; or its name as a value. */
const pattern =
  /\bgit(?:\.exe)?(?:["']?[ \t]+|["'][ \t]*,\s*)(?!["']?(?:grep|log|status|diff|show|rev-parse|ls-files|describe|--version)\b)[\w$"'-]|=[ \t]*["']?git\b/;

/** May a script or a program that was not read, or not to its end, change something by git? */
export function mayChangeByGit(text: string): boolean {
  return pattern.test(text);
}
