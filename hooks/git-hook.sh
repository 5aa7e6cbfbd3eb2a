#!/bin/sh
# oxide-guard: the @hook@ hook. Written by `oxide-guard install`; `oxide-guard uninstall` puts back what was here.
# No place for changes of your own: the next install writes this file anew.

hook=@hook@
bundle=@bundle@
recorded_node=@node@
local_package=@localPackage@
recorded_package=@package@
kept=@kept@
kept_shell=@keptShell@
prepares=@prepares@
fast_start=@fastStart@

# A guard that passes when it cannot run is worthless: without node or the package the hook refuses.
refuse() {
  printf 'oxide-guard: %s\n' "$1, so the $hook hook cannot check anything and refuses." >&2
  printf '  → %s\n' "$2" >&2
  if [ "$hook" = commit-msg ]; then
    printf '  Your message is kept: git commit -eF "%s"\n' "$message_file" >&2
  fi
  printf '  To do without the guard altogether: npx oxide-guard uninstall\n' >&2
  exit 1
}

is_recent_node() {
  [ -f "$1" ] && [ -x "$1" ] &&
    "$1" -e 'process.exit(parseInt(process.versions.node, 10) < 20 ? 1 : 0)' >/dev/null 2>&1 </dev/null
}

# Graphical clients start hooks without the shell's start-up files, so PATH knows nothing of version managers.
# Where a manager keeps several versions the last one that is new enough is taken.
search_node() {
  data=${XDG_DATA_HOME:-${HOME-}/.local/share}
  for candidate in \
    "$(command -v node 2>/dev/null)" \
    "${VOLTA_HOME:-${HOME-}/.volta}/bin/node" \
    /opt/homebrew/bin/node \
    /usr/local/bin/node \
    /home/linuxbrew/.linuxbrew/bin/node \
    /usr/bin/node \
    /opt/local/bin/node \
    /snap/bin/node \
    /run/current-system/sw/bin/node \
    "${HOME-}/.nix-profile/bin/node" \
    "${N_PREFIX:-${HOME-}/n}/bin/node" \
    "${NVM_SYMLINK-}/node.exe" \
    "${PROGRAMFILES-}/nodejs/node.exe"; do
    if is_recent_node "$candidate"; then
      node=$candidate
      return
    fi
  done
  node=
  for candidate in \
    "${NVM_DIR:-${HOME-}/.nvm}"/versions/node/*/bin/node \
    "${XDG_CONFIG_HOME:-${HOME-}/.config}"/nvm/versions/node/*/bin/node \
    "${FNM_DIR:-$data/fnm}"/node-versions/*/installation/bin/node \
    "${HOME-}"/.fnm/node-versions/*/installation/bin/node \
    "${HOME-}/Library/Application Support/fnm"/node-versions/*/installation/bin/node \
    "${ASDF_DATA_DIR:-${HOME-}/.asdf}"/installs/nodejs/*/bin/node \
    "${MISE_DATA_DIR:-$data/mise}"/installs/node/*/bin/node \
    "${NODENV_ROOT:-${HOME-}/.nodenv}"/versions/*/bin/node \
    /opt/homebrew/opt/node*/bin/node \
    /usr/local/opt/node*/bin/node; do
    if is_recent_node "$candidate"; then
      node=$candidate
    fi
  done
  [ -n "$node" ] || refuse \
    'Node.js 20 or newer was not found (on PATH, in nvm, fnm, volta, asdf, mise, Homebrew, /usr/local)' \
    "in a terminal where 'node --version' works, run: npx oxide-guard install"
}

find_node() {
  node=$recorded_node
  if [ ! -f "$node" ] || [ ! -x "$node" ]; then
    search_node
  fi
}

# git starts hooks at the top of the work tree, and sets GIT_DIR in linked worktrees: those may lack node_modules.
find_program() {
  program=$local_package/dist/hook/$bundle
  [ -s "$program" ] && return
  case ${GIT_DIR-} in
    */.git/worktrees/*)
      program=${GIT_DIR%/.git/worktrees/*}/$local_package/dist/hook/$bundle
      [ -s "$program" ] && return
      ;;
  esac
  program=$recorded_package/dist/hook/$bundle
  [ -s "$program" ] && return
  refuse "The package oxide-guard was not found (in node_modules here, or in $recorded_package)" \
    'npm install (or npm install --save-dev oxide-guard), then npx oxide-guard install'
}

# The hook that was here before. git ignores a hook that is not executable, and so does this.
has_kept() {
  [ -n "$kept" ] && [ -f "$directory/$kept" ] && [ -x "$directory/$kept" ]
}

# A shell script that looks at its own name ($0) is read by its shell under the name it had.
run_kept() {
  if [ -n "$kept_shell" ]; then
    $kept_shell -c '. "$0.before-oxide-guard"' "$directory/$hook" "$@"
  else
    "$directory/$kept" "$@"
  fi
}

# Node 20 reads the extra certificates at every start, which takes longer than all the rest; no guard needs them. A node
# that does not know the option, which makes it start faster (src/node-start.ts), ends at once.
start_guard() {
  unset NODE_EXTRA_CA_CERTS
  "$node" "$fast_start" "$program" "$@"
  code=$?
  [ "$code" = @unknownOption@ ] || exit "$code"
  exec "$node" "$program" "$@"
}

# Asks git what nearly every push is judged by, while node starts: a process that node starts costs more than these. What
# was not asked here, the guard asks itself. The form of an answer: src/git/push/prepared-answers.ts.
ask_git() {
  printf '%s\n' "$*"
  git @gitSettings@ "$@" </dev/null
  printf '@endOfAnswer@%s\n' "$?"
}

answers() {
  printf 'updates\n%s@endOfAnswer@0\n' "$updates"
  @gitEnvironment@
  @storedHistory@
  case $updates in
    *"
"*) ;;
    *)
      # From the right: what is pushed may be named with spaces.
      remote_oid=${updates##* }
      rest=${updates% *}
      rest=${rest% *}
      local_oid=${rest##* }
      case $local_oid in
        *[!0-9a-f]*) return ;;
        *[!0]*) ;;
        *) return ;;
      esac
      case $remote_oid in
        *[!0-9a-f]*) return ;;
        *[!0]*)
          ask_git @divergence@
          ask_git @outgoing@
          ;;
        *) ask_git @outgoingOfNewRef@ ;;
      esac
      ;;
  esac
  @shownHistory@
  ask_git @status@
}

# Descriptor 3 has what is left of git's list.
judge_push() {
  answers 2>/dev/null 3<&- | (start_guard --prepared "$hook" "$@" 4<&0 <&3 3<&-)
}

# git's list of updates, read once, without needing a program on PATH.
read_updates() {
  if command -v cat >/dev/null 2>&1; then
    updates=$(cat)
  else
    updates=
    while IFS= read -r line; do
      updates="${updates:+$updates
}$line"
    done
  fi
}

# One line, or two where there are more than one; the others stay where they are.
read_first_updates() {
  updates=
  IFS= read -r updates
  if IFS= read -r line || [ -n "$line" ]; then
    updates="$updates
$line"
  fi
}

give_updates() {
  [ -z "$updates" ] || printf '%s\n' "$updates" 2>/dev/null
}

case $0 in
  */*) directory=${0%/*} ;;
  *) directory=. ;;
esac
case $hook in
  # A hook of one's own may edit the message: the guard sees the final one.
  commit-msg)
    message_file=$1
    if has_kept; then
      run_kept "$@" || exit $?
    fi
    find_node
    find_program
    start_guard "$@"
    ;;
esac

# A push that is refused should not have run the tests, nor uploaded anything: the guard comes first.
find_node
find_program
if ! has_kept; then
  if [ "$hook" = pre-push ] && [ -n "$prepares" ]; then
    read_first_updates
    if [ -n "$updates" ]; then
      exec 3<&0
      judge_push "$@"
      exit
    fi
  fi
  start_guard "$hook" "$@"
fi
case $hook in
  update)
    (start_guard "$hook" "$@") || exit $?
    run_kept "$@"
    ;;
  *)
    read_updates
    if [ "$hook" = pre-push ] && [ -n "$prepares" ] && [ -n "$updates" ]; then
      judge_push "$@" 3</dev/null || exit $?
    else
      give_updates | (start_guard "$hook" "$@") || exit $?
    fi
    give_updates | run_kept "$@"
    ;;
esac
