#!/bin/sh
# Starts the guard of the project, of the package this plugin lies in, or the one on PATH.
# The one makes node start slower, the other may keep it from starting.
NODE_EXTRA_CA_CERTS=
NODE_OPTIONS=
for package in "${CLAUDE_PROJECT_DIR:-.}/node_modules/oxide-guard" "${CLAUDE_PLUGIN_ROOT:-.}/../.."; do
  hook=$package/dist/hook/agent.cjs
  if [ -f "$hook" ] && command -v node >/dev/null 2>&1; then
    # The option makes node start faster; one that does not know it ends at once.
    node --no-rehash-snapshot "$hook" --agent claude || exec node "$hook" --agent claude --again
    exit
  fi
done
command -v oxide-guard >/dev/null 2>&1 && exec oxide-guard hook --agent claude
# Blocking everything would also block `npm install`, the way out: the user is told, and the command is not judged.
echo '{"systemMessage":"oxide-guard: no command is judged, because the plugin finds neither node nor the package: npm install --save-dev oxide-guard"}'
