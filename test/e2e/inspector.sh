#!/usr/bin/env bash
# The MCP Inspector's command line lists and calls the tools of the built program, on standard streams and over HTTP.
# It needs Node 22.19 or newer, and is installed into a directory of its own: a test tool of a hundred packages.
set -euo pipefail
cd "$(dirname "$0")/../.."

if ! node -e 'const [major, minor] = process.versions.node.split("."); process.exit(major * 100 + +minor >= 2219 ? 0 : 1)'; then
  printf 'skipped: the MCP Inspector needs Node 22.19, and this is %s\n' "$(node --version)"
  exit
fi
place=$(mktemp -d)
server=''
trap '[ -z "$server" ] || kill "$server" 2>/dev/null || true; rm -rf "$place"' EXIT
if ! timeout 180 npm install --silent --ignore-scripts --no-save --no-audit --no-fund --prefix "$place" @modelcontextprotocol/inspector@2.12.0; then
  printf 'skipped: npm could not install the MCP Inspector within three minutes\n'
  exit
fi

inspector="$place/node_modules/.bin/mcp-inspector"
export HOME="$place/home"
unset XDG_STATE_HOME XDG_DATA_HOME
mkdir -p "$HOME"

# expect WHAT PATTERN COMMAND…: the command prints something that matches.
expect() {
  local what=$1 pattern=$2 answer
  shift 2
  answer=$("$@" 2>"$place/stderr" || true)
  if ! grep -Eq "$pattern" <<<"$answer"; then
    printf 'FAILED: %s\nwanted: %s\nwas: %s\n%s\n' "$what" "$pattern" "$answer" "$(cat "$place/stderr")"
    exit 1
  fi
  printf 'ok: %s\n' "$what"
}

# examine HOW COMMAND…: what holds for each transport.
examine() {
  local how=$1 tool
  shift
  for tool in project workspace container session token schedule project_options project_changes project_tasks \
    image_rebuild caller_tool_response config_limits workspace_bash workspace_edit; do
    expect "$how lists $tool" "\"name\": \"$tool\"" cat "$place/tools-$how"
  done
  expect "$how calls project action=create" '"project_id": "[0-9a-f-]{36}"' \
    "$@" --method tools/call --tool-name project --tool-arg action=create --tool-arg "name=made-$how"
  expect "$how calls project action=list" "\"name\": \"made-$how\"" \
    "$@" --method tools/call --tool-name project --tool-arg action=list
  expect "$how is told what is wrong" "unknown action 'invalid' for project tool; valid actions: create, list, get, delete" \
    "$@" --method tools/call --tool-name project --tool-arg action=invalid
}

stdio=("$inspector" --cli node bin/oxide-guard.js mcp)
"${stdio[@]}" --method tools/list >"$place/tools-stdio" 2>"$place/stderr"
examine stdio "${stdio[@]}"

secret=$(node bin/oxide-guard.js tokens create inspector --scope admin 2>/dev/null)
node bin/oxide-guard.js mcp --http 0 2>"$place/server" &
server=$!
for _ in $(seq 100); do
  url=$(sed -n 's|.*serves MCP at \(http:[^;]*\);.*|\1|p' "$place/server")
  [ -n "$url" ] && break
  sleep 0.2
done
http=("$inspector" --cli "$url" --transport http --header "Authorization: Bearer $secret")
"${http[@]}" --method tools/list >"$place/tools-http" 2>"$place/stderr"
examine http "${http[@]}"
