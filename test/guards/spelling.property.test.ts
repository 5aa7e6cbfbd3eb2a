import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Verdict } from '../../src/config/rules.ts';
import { busyRepository, type GuardedRepository } from './guarded-repository.ts';

let repository: GuardedRepository;
beforeAll(() => {
  repository = busyRepository();
});

const strength: Record<Verdict, number> = { allow: 0, ask: 1, deny: 2 };

/** One command of each kind that is stopped, as words. */
const stopped: readonly (readonly string[])[] = [
  ['git', 'push', '--force', 'origin', 'main'],
  ['git', 'push', 'origin', '+HEAD:main'],
  ['git', 'push', 'origin', '--delete', 'main'],
  ['git', 'push', '--mirror'],
  ['git', 'push', '-f', 'origin', 'topic'],
  ['git', 'commit', '--no-verify', '-m', 'feat: x'],
  ['git', 'commit', '-m', 'Fixed it.'],
  ['git', 'reset', '--hard'],
  ['git', 'checkout', '--', 'a.txt'],
  ['git', 'clean', '-fd'],
  ['git', 'branch', '-D', 'topic'],
  ['git', 'reflog', 'expire', '--expire=now', '--all'],
  ['git', 'gc', '--prune=now'],
  ['git', 'config', 'core.hooksPath', '/dev/null'],
  ['git', 'remote', 'set-url', 'origin', 'https://example.com/r.git'],
  ['rm', '-rf', '.git'],
];

const single = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;

/** Ways to spell one word that a shell reads as the same word. */
const quotings: readonly ((word: string) => string)[] = [
  (word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : single(word)),
  single,
  (word) => `"${word.replace(/[\\$`"]/g, '\\$&')}"`,
  (word) => `$'${[...word].map((letter) => `\\x${letter.charCodeAt(0).toString(16).padStart(2, '0')}`).join('')}'`,
  (word) => `${single(word.slice(0, 1))}${single(word.slice(1))}`,
  (word) => [...word].map((letter) => `\\${letter}`).join(''),
  (word) => `"$(printf %s ${single(word)})"`,
  (word) => `''${single(word)}""`,
];

/**
 * Ways to have a command line run from within another. `place` tells two of them apart that stand in each other: a script
 * that writes over itself while it runs is another matter.
 */
const wrappings: readonly ((line: string, place: 'inner' | 'outer') => string)[] = [
  (line) => line,
  (line) => `sh -c ${single(line)}`,
  (line) => `bash -lc ${single(line)}`,
  (line) => `eval ${single(line)}`,
  (line) => `( ${line} )`,
  (line) => `{ ${line}; }`,
  (line) => `true && ${line}`,
  (line) => `false || ${line}`,
  (line) => `ls; ${line}`,
  (line) => `${line} | cat`,
  (line) => `echo "$( ${line} )"`,
  (line) => `if true; then ${line}; fi`,
  (line) => `for i in 1; do ${line}; done`,
  (line) => `f() { ${line}; }; f`,
  (line) => `${line} > /dev/null 2>&1`,
  (line) => `env ${line}`,
  (line) => `sudo ${line}`,
  (line) => `nohup ${line}`,
  (line) => `timeout 10 ${line}`,
  (line) => `command ${line}`,
  (line) => `echo ok # a comment\n${line}`,
  (line) => `find . -maxdepth 0 -exec sh -c ${single(line)} \\;`,
  (line, place) => `printf '%s\\n' ${single(line)} > ${place}.sh; bash ./${place}.sh`,
  // A shell within the line would read the file again, without end.
  (line, place) =>
    `printf '%s\\n' 'unset BASH_ENV' ${single(line)} > env-${place}.sh; BASH_ENV=./env-${place}.sh bash -c true`,
  (line, place) =>
    `mkdir ${place}; printf '%s\\n' '#!/bin/sh' ${single(line)} > ${place}/uname; chmod +x ${place}/uname; PATH=${place}:$PATH uname`,
  (line) => `python3 -c ${single(`import os; os.system(${JSON.stringify(line)})`)}`,
  (line) => `node -e ${single(`require('child_process')['execSync'](${JSON.stringify(line)})`)}`,
];

/** Ways that take whole lines, so nothing may stand around them. */
const enclosings: readonly ((line: string) => string)[] = [
  (line) => line,
  (line) => `bash <<'END'\n${line}\nEND`,
  (line) => `cat <<'END' | sh\n${line}\nEND`,
  (line) => `${line} &`,
];

/** Wrappers that take a program, so they can't be put before shell grammar. */
const takesProgram = /^(?:env|sudo|nohup|timeout|command) /;

const spelledStop = fc
  .record({
    words: fc.constantFrom(...stopped),
    quotes: fc.array(fc.constantFrom(...quotings), { minLength: 8, maxLength: 8 }),
    inner: fc.constantFrom(...wrappings),
    enclosing: fc.constantFrom(...enclosings),
    outer: fc.constantFrom(...wrappings.filter((wrap) => !takesProgram.test(wrap('', 'outer')))),
  })
  .map(({ words, quotes, inner, outer, enclosing }) => ({
    plain: words.map((word) => quotings[0]!(word)).join(' '),
    spelled: enclosing(
      outer(inner(words.map((word, index) => quotes[index % quotes.length]!(word)).join(' '), 'inner'), 'outer'),
    ),
  }));

/** Ways to mention a command line without running it. */
const mentions: readonly ((line: string) => string)[] = [
  (line) => `echo ${single(line)}`,
  (line) => `printf '%s\\n' ${single(line)}`,
  (line) => `grep -rn ${single(line)} .`,
  (line) => `git log --grep=${single(line)}`,
  (line) => `git commit --allow-empty -m ${single(`docs: mention ${line.replace(/\W+$/, '')} here`).toLowerCase()}`,
  (line) => `gh pr create --title x --body ${single(line)}`,
  (line) => `cat > notes.md <<'END'\n${line}\nEND`,
  (line) => `# ${line}`,
  (line) => `true # ${line}`,
  (line) => `NOTE=${single(line)}`,
  (line) => `git stash push -m ${single(line)}`,
  (line) => `git tag -a mentioned -m ${single(line)}`,
  (line) => `cat <<< ${single(line)}`,
  (line) => `[[ ${single(line)} == *x* ]]`,
  (line) => `sed -n ${single(`/${line.replaceAll('/', '.')}/p`)} a.txt`,
  (line) => `find . -name ${single(line.replaceAll('/', '_'))}`,
  (line) => `awk -v s=${single(line)} 'BEGIN { print s }'`,
  (line) => `python3 -c ${single(`print(${JSON.stringify(line)})`)}`,
  (line) => `node -e ${single(`console.log(${JSON.stringify(line)})`)}`,
  (line) => `jq -n --arg c ${single(line)} '$c'`,
  (line) => `echo ${single(line)} | sed 's/x/y/'`,
  (line) => `echo ${single(`# ${line}`)} >> notes.sh`,
  (line) => `gh issue create --title ${single(line)} --body-file - <<'END'\n${line}\nEND`,
  (line) => `curl -s http://localhost:3000 -d ${single(JSON.stringify({ command: line }))}`,
  (line) => `python3 - <<'END'\nimport subprocess\ntext = ${JSON.stringify(line)}\nprint(len(text))\nEND`,
  (line) => `python3 - <<'END'\nimport subprocess\nsubprocess.run(["echo", ${JSON.stringify(line)}])\nEND`,
  (line) => `python3 - <<'END'\nimport re\ns = open("a.txt").read()\nre.sub(r${JSON.stringify(line)}, "", s)\nEND`,
  (line) => `node - <<'END'\nrequire('node:child_process').execFileSync('echo', [${JSON.stringify(line)}]);\nEND`,
  (line) => `perl -ne ${single(`print if /${line.replace(/\W/g, '.')}/`)} a.txt`,
  (line) => `for text in ${single(line)}; do echo "$text"; done`,
  (line) => `while read -r text; do echo "- $text"; done <<< ${single(line)}`,
  (line) => `case ${single(line)} in *force*) echo stopped;; esac`,
  (line) => `read -r text <<< ${single(line)}; echo "$text" | wc -c`,
  (line) => `diff <(echo ${single(line)}) a.txt || true`,
  (line) => `xargs -I{} echo {} <<< ${single(line)}`,
  (line) => `docker run --rm -e NOTE=${single(line)} alpine true`,
  (line) => `tee notes.md <<'END' > /dev/null\n\`\`\`sh\n${line}\n\`\`\`\nEND`,
  (line) => `: <<'END'\n${line}\nEND`,
  (line) => `npx vitest run -t ${single(line)}`,
  (line) => `git log -S ${single(line)} --oneline`,
  (line) => `git grep -n -e ${single(line)} -- docs`,
  (line) => `git notes add -f -m ${single(line)} HEAD`,
];

/** What stands around everyday commands and changes nothing of what they mean. */
const surroundings: readonly ((line: string) => string)[] = [
  (line) => line,
  (line) => `cd .; ${line}`,
  (line) => `git status -sb\n${line}`,
  (line) => `set -euo pipefail\n${line}\necho done`,
  (line) => `if true; then\n:\n${line}\nfi`,
  (line) => `(\n:\n${line}\n)`,
  (line) => `note() {\n:\n${line}\n}\nnote`,
  (line) => `for i in 1 2; do\n:\n${line}\ndone`,
  (line) => `bash -c ${single(line)}`,
  (line) => `timeout 60 bash -lc ${single(`${line}\n`)}`,
];

const mentionedStop = fc
  .tuple(fc.constantFrom(...stopped), fc.constantFrom(...mentions), fc.constantFrom(...surroundings))
  .map(([words, mention, around]) => around(mention(words.map((word) => quotings[0]!(word)).join(' '))));

const plainVerdicts = new Map<string, Promise<Verdict>>();

function plainVerdict(line: string): Promise<Verdict> {
  const verdict = plainVerdicts.get(line) ?? repository.judge(line).then((judgement) => judgement.verdict);
  plainVerdicts.set(line, verdict);
  return verdict;
}

describe('however it is spelled', () => {
  it('a stopped command is still stopped, as strongly', async () => {
    await fc.assert(
      fc.asyncProperty(spelledStop, async ({ plain, spelled }) => {
        const expected = await plainVerdict(plain);
        const actual = (await repository.judge(spelled)).verdict;
        expect(expected).not.toBe('allow');
        expect(strength[actual], spelled).toBeGreaterThanOrEqual(strength[expected]);
      }),
      { numRuns: 150 },
    );
  });

  it('a stopped command that is only mentioned is none', async () => {
    await fc.assert(
      fc.asyncProperty(mentionedStop, async (line) => {
        const { verdict, findings } = await repository.judge(line);
        expect(
          [verdict, findings.map(({ rule }) => rule).filter((rule) => rule !== 'uncommitted-changes')],
          line,
        ).toEqual(['allow', []]);
      }),
      { numRuns: 300 },
    );
  });

  it('no text makes the judge throw', async () => {
    const fragment = fc.constantFrom(
      'git',
      'push',
      '-f',
      '$(',
      ')',
      '"',
      "'",
      '`',
      ';',
      '&&',
      '|',
      '<<E',
      '\n',
      '${',
      '}',
      '-c',
      '--',
      'origin',
      'main',
      '\\',
      '{',
      'alias.x=!git x',
    );
    await fc.assert(
      fc.asyncProperty(fc.array(fc.oneof(fragment, fc.string({ maxLength: 5 })), { maxLength: 12 }), async (parts) => {
        const { verdict } = await repository.judge(parts.join(' '));
        expect(['allow', 'ask', 'deny']).toContain(verdict);
      }),
      { numRuns: 200 },
    );
  });
});
