import { describe, expect, it } from 'vitest';
import { read } from './script.ts';

const cases: readonly (readonly [situation: string, source: string, steps: readonly string[]])[] = [
  ['a list runs one command after the other', 'git a; git b && git c', ['git a', 'git b', 'maybe: git c']],
  ['an alternative may run', 'git a || git b', ['git a', 'maybe: git b']],
  [
    'what follows a certain success runs, what follows a certain failure too',
    'true && git a; false || git b',
    ['git a', 'git b'],
  ],
  ['what can not run is no step', 'false && git a; true || git b', []],
  ['negation swaps', '! true || git a; ! false && git b', ['git a', 'git b']],
  ['both sides of a pipe run', 'git log | git b', ['git log', 'git b']],
  ['a background command runs, perhaps after what follows', 'git a & git b', ['maybe: git a', 'git b']],
  [
    'a subshell keeps its directory and variables to itself',
    '(cd /; X=1; git a); git b $X',
    ['git a @/', 'git b ⟨?⟩*'],
  ],
  ['a group shares them', '{ X=1; git a; }; git b $X', ['git a', 'git b 1']],
  ['a loop over known words runs each time', 'for i in a "b c"; do git x "$i"; done', ['git x a', 'git x "b c"']],
  ['a loop over nothing does not run', 'for i in; do git x; done', []],
  ['a loop over unknown words may run', 'for i in $LIST; do git x $i; done', ['maybe: git x ⟨?⟩*']],
  ['a counting loop runs to its end', 'for ((i=0; i<3; i++)); do git x $i; done', ['git x 0', 'git x 1', 'git x 2']],
  [
    'a while loop with a known condition runs to its end',
    'i=0; while [ $i -lt 2 ]; do git x $i; i=$((i+1)); done',
    ['git x 0', 'git x 1'],
  ],
  ['an endless loop is read once', 'while true; do git pull; sleep 60; done', ['git pull']],
  ['break leaves a loop', 'for i in a b; do git x $i; break; done; git y', ['git x a', 'git y']],
  ['continue goes on with the next word', 'for i in a b; do [ $i = a ] && continue; git x $i; done', ['git x b']],
  [
    'every branch of an open condition may run',
    'if git a; then git b; elif git c; then git d; else git e; fi',
    ['git a', 'maybe: git b', 'maybe: git c', 'maybe: git d', 'maybe: git e'],
  ],
  ['only the branch of a known condition runs', 'X=1; if [ "$X" = 1 ]; then git a; else git b; fi', ['git a']],
  ['the arm of a case that matches runs', 'case main in dev) git a;; m*) git b;; *) git c;; esac', ['git b']],
  ['every arm of an open case may run', 'case $X in dev) git a;; *) git b;; esac', ['maybe: git a', 'maybe: git b']],
  [
    'a function runs where it is called',
    'f() { git "$1" "${@:2}"; }; git x; f push -f main',
    ['git x', 'git push -f main'],
  ],
  ['a function that is never called does not run', 'f() { git push; }', []],
  ['a function that calls itself ends', 'f() { git x; f; }; f', ['git x', 'git x']],
  ['return ends a function, not the script', 'f() { git a; return; git b; }; f; git c', ['git a', 'git c']],
  ['exit ends the script', 'git a; exit 1; git b', ['git a']],
  ['an exit in doubt leaves the rest in doubt', 'git a || exit 1; git b', ['git a', 'maybe: git b']],
  ['exit in a subshell ends only the subshell', '(git a; exit 1; git b); git c', ['git a', 'git c']],
  ['exec ends the script', 'exec git a; git b', ['git a']],
  ['exec with redirections alone goes on', 'exec 2>/dev/null; git b', ['git b']],
  ['a comment is no command', 'git a # && git b', ['git a']],
  ['a continued line is one command', 'git pu\\\nsh \\\n  -f', ['git push -f']],
  ['a here-document is input, not commands', 'cat <<EOF\ngit push -f\nEOF', []],
  ['a command in an unquoted here-document runs', 'cat <<EOF\n$(git push -f)\nEOF', ['git push -f']],
  ['a command in a quoted here-document does not', "cat <<'EOF'\n$(git push -f)\nEOF", []],
  ['a command substitution runs before the command that uses it', 'git a "$(git b)"', ['git b', 'git a ⟨?⟩']],
  ['backticks nest', 'git a `git b \\`git c\\``', ['git c', 'git b ⟨?⟩*', 'git a ⟨?⟩*']],
  [
    'a process substitution runs',
    'diff <(git a) <(git b)',
    ['git a', '> /dev/fd/63', 'git b', '> /dev/fd/62', 'diff /dev/fd/63 /dev/fd/62'],
  ],
  [
    'a process substitution may be the value of a variable',
    'A=<(git a) B=x<(b) git c',
    ['git a', '> /dev/fd/63', 'b', '> /dev/fd/62', 'A=/dev/fd/63 B=x/dev/fd/62 git c'],
  ],
  ['a coprocess runs, when is not known', 'coproc git a; git b', ['maybe: git a', 'git b']],
  ['time is looked through', 'time git a', ['git a']],
  ['a syntax error is named', 'git a; if', ['git a', 'unreadable syntax: ']],
  ['an alias never expands without expand_aliases', "alias p='git push'; p\np", ['p', 'p']],
  [
    'an alias expands from the next line on',
    "shopt -s expand_aliases\nalias p='git push'; p\np -f",
    ['p', 'git push -f'],
  ],
  ['set -e ends the script where a command fails', 'set -e\nfalse\ngit a', []],
  ['a trap for the end', "trap 'git a' EXIT; git b", ['git b', 'maybe: git a']],
  ['a trap for a signal may run at any time', "trap 'git a' INT; git b", ['maybe: git a', 'git b', 'maybe: git a']],
  ['a trap knows what comes after it', "trap 'f $x' EXIT; f() { git $1; }; x=a", ['maybe: git a']],
  ['a trap in a subshell ends with it', "(trap 'git a' EXIT); git b", ['maybe: git a', 'git b']],
  ['a trap that sets another', `trap 'trap "git a" EXIT' EXIT`, ['maybe: git a']],
  ['a trap that is taken back', "trap 'git a' EXIT; git b; trap - EXIT", ['git b']],
];

describe('the grammar of a command line', () => {
  it.each(cases)('%s', (_, source, steps) => {
    expect(read(source).filter((line) => !line.startsWith('truncated'))).toEqual(steps);
  });
});
