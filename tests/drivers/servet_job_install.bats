#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# Installations by servet-job, from a source tree, the build tree and an installation; and this machine without a batch
# system, with its processes.
#
# SOURCE_ROOT: the source tree. BUILD_ROOT: the build.

# shellcheck disable=SC2034,SC2154 # for and from batch.bash
load batch

setup() {
  make_machine
  # shellcheck disable=SC2154 # set in batch.bash
  to="$root/pre fix/share/servet/neptune"
  export SERVET_NAME=neptune SERVET_NODES=1
}

teardown() {
  end_jobs
}

is_done() {
  [ "$(cat "$1/job/n1-32M.state")" = "done" ]
}

@test "profile, raw series, scripts and logs are installed readable by all and writable by the owner" {
  umask 077
  succeeds --nodes 1 --wait --install --prefix "$root/pre fix"
  [[ $output == *"module use $root/pre fix/share/modulefiles' and 'module load servet/neptune'"*"installed: $to/profile.json" ]]
  cmp "$to/profile.json" servet-neptune/profile.json
  [ -f "$to/raw/n1-32M/runs.csv" ]
  [ -f "$to/job/n1-32M.sh" ]
  [ -f "$to/job/n1-32M.log" ]
  [ -z "$(find "$root/pre fix" -type f ! -perm 644)" ]
  [ -z "$(find "$root/pre fix" -type d ! -perm 755)" ]
  [ -z "$(find "$root/pre fix" -name '*.new*')" ]
  [ "$(readlink "${to%/*}/profile.json")" = neptune/profile.json ]
}

@test "the previous profile and its series are kept" {
  succeeds --nodes 1 --wait --install --prefix "$root/pre fix"
  succeeds --nodes 1 --message-size 1M --wait --install --prefix "$root/pre fix"
  grep -qx '32M,new' "$to/profile.json.1"
  grep -qx '1M,new' "$to/profile.json"
  [ -f "$to/job.1/n1-32M.sh" ] && [ -f "$to/job/n1-1M.sh" ]
  [ -f servet-neptune/profile.json.1 ]
}

# The process of the number is this shell, the other one has just ended.
@test "what killed installations left is removed, and what others of this moment make is not" {
  local here ended
  here=$(uname -n)
  sh -c : &
  ended=$!
  wait "$ended"
  mkdir -p "$to/.new.$here.$ended/raw" "$to/.new.$here.$$" "$to/.new.$here.cluster.$ended" "$to/.new.other.$ended"
  ln -s neptune/profile.json "${to%/*}/.profile.$here.$ended"
  succeeds --nodes 1 --wait --install --prefix "$root/pre fix"
  [ "$(find "$to" -name '.new.*' | sort)" = "$(printf '%s\n' "$to/.new.$here.$$" "$to/.new.$here.cluster.$ended" "$to/.new.other.$ended" | sort)" ]
  [ -z "$(find "${to%/*}" -name '.profile.*')" ]
}

@test "what killed calls left beside the locks is removed" {
  local here ended lock
  here=$(uname -n)
  sh -c : &
  ended=$!
  wait "$ended"
  mkdir -p servet-neptune/job "$HOME/.local/state/servet"
  for lock in servet-neptune/job/lock "$HOME/.local/state/servet/neptune.lock"; do
    touch "$lock.$here.$ended" "$lock.$here.$ended.new" "$lock.$here.$ended.old" "$lock.$here.$$.new" "$lock.other.$ended"
  done
  succeeds --nodes 1 --wait
  [ "$(cd servet-neptune/job && ls lock*)" = "$(printf '%s\n' "lock.$here.$$.new" "lock.other.$ended" | LC_ALL=C sort)" ]
  [ "$(find "$HOME/.local/state/servet" -name "*$ended*")" = "$HOME/.local/state/servet/neptune.lock.other.$ended" ]
}

@test "results of an earlier call are installed, also without the driver's state files" {
  succeeds --nodes 1 --wait
  succeeds --install --prefix "$root/pre fix"
  [ -f "$to/profile.json" ]
  rm -r "$root/pre fix" servet-neptune/job
  succeeds --install --prefix "$root/pre fix"
  [ -f "$to/profile.json" ]
}

@test "neither an invalid profile nor an incomplete measurement is installed" {
  fails 1 '* has no measurement *' --install
  mkdir servet-neptune
  fails 1 '* has no profile*' --install
  echo '{' >servet-neptune/profile.json
  fails 1 '*not installed: servet: *cannot be read, or this is no profile' --install --prefix "$root/pre fix"
  echo 3 >"$FAKE/status"
  servet_job --nodes 1 --wait --install --prefix "$root/pre fix"
  [ "$status" -eq 1 ]
  echo '{"schema": 1}' >servet-neptune/profile.json
  fails 1 '*n1-32M is not measured yet*' --install --prefix "$root/pre fix"
  [ ! -e "$to" ]
}

@test "a profile that is not fit for use is not installed, unless by force" {
  echo 'not fit for use: L1 not trusted; measure again when the node is idle' >"$FAKE/unfit"
  succeeds --nodes 1 --wait
  fails 1 '*: not installed: not fit for use: L1 not trusted; measure again when the node is idle (--force *' \
    --install --prefix "$root/pre fix"
  [ ! -e "$root/pre fix" ]
  succeeds --install --force --prefix "$root/pre fix"
  cmp "$to/profile.json" servet-neptune/profile.json
}

@test "an installed profile is kept if the new one is not fit for use" {
  succeeds --nodes 1 --wait --install --prefix "$root/pre fix"
  cp "$to/profile.json" "$root/before"
  echo 'not fit for use: L1 not trusted' >"$FAKE/unfit"
  servet_job --nodes 1 --message-size 1M --wait --install --prefix "$root/pre fix"
  [ "$status" -eq 1 ]
  said '*not installed: not fit for use: L1 not trusted *'
  cmp "$to/profile.json" "$root/before"
}

@test "a second cluster under the same prefix does not replace the default" {
  succeeds --nodes 1 --wait --install --prefix "$root/pre fix"
  succeeds --nodes 1 --message-size 1M --wait --install --prefix "$root/pre fix" --name triton --message-size 1M
  said '*the default profile is that of another cluster: *module servet/triton*'
  [ "$(readlink "${to%/*}/profile.json")" = neptune/profile.json ]
  [ -f "${to%/*}/triton/profile.json" ]
}

@test "from the source tree without a prefix the user's folder is used, and an older profile there is kept" {
  mkdir -p "$HOME/.local/share/servet"
  echo mine >"$HOME/.local/share/servet/profile.json"
  succeeds --nodes 1 --wait --install
  [ "$(cat "$HOME/.local/share/servet/profile.json.1")" = mine ]
  grep -q 32M,new "$HOME/.local/share/servet/profile.json"
}

@test "a full disk at the prefix is reported, and the old profile is unchanged" {
  [ "$(id -u)" -eq 0 ] || skip "only root may mount"
  mkdir "$root/small"
  mount -t tmpfs -o size=1m tmpfs "$root/small" 2>/dev/null || skip "no tmpfs here"
  full_disk_story || status=failed
  umount -l "$root/small"
  [ "$status" != failed ]
}

full_disk_story() {
  local there=$root/small/share/servet/neptune
  succeeds --nodes 1 --wait --install --prefix "$root/small" || return 1
  cp "$there/profile.json" "$root/before"
  succeeds --nodes 1 --message-size 1M --wait || return 1
  dd if=/dev/zero of="$root/small/filler" bs=1k 2>/dev/null
  fails 1 "*cannot *$there*" --install --prefix "$root/small" || return 1
  cmp "$there/profile.json" "$root/before" && [ ! -e "$there/profile.json.1" ] && [ -d "$there/raw" ] || return 1
  rm "$root/small/filler"
  succeeds --install --prefix "$root/small" && grep -qx 1M,new "$there/profile.json"
}

# `mv` fails where it would move to the installed folder `job`: the new one, and then the old one back.
@test "an old series that cannot be put back is named, and the old profile is unchanged" {
  succeeds --nodes 1 --wait --install --prefix "$root/pre fix"
  succeeds --nodes 1 --message-size 1M --wait
  rm "$bin/mv"
  cat >"$bin/mv" <<EOF
#!/bin/sh
for to; do :; done
[ "\$to" != "$to/job" ] || { echo "mv: cannot move to '\$to': Input/output error" >&2; exit 1; }
exec $(command -v mv) "\$@"
EOF
  chmod +x "$bin/mv"
  fails 1 "*: cannot install into $to: *nput/output error; what was moved aside is in $to/raw.1 or $to/job.1" \
    --install --prefix "$root/pre fix"
  grep -qx '32M,new' "$to/profile.json"
  [ -d "$to/raw" ] && [ ! -e "$to/job" ] && [ -f "$to/job.1/n1-32M.sh" ]
}

# share TYPE: a fresh prefix, whose folder share/servet is as named.
share() {
  rm -rf "$root/pre fix" "$root/elsewhere"
  mkdir -p "$root/pre fix/share"
  case $1 in
  a_folder_elsewhere) mkdir "$root/elsewhere" && ln -s ../../elsewhere "$root/pre fix/share/servet" ;;
  a_link_to_nowhere) ln -s ../../elsewhere "$root/pre fix/share/servet" ;;
  a_link_to_a_file) touch "$root/elsewhere" && ln -s ../../elsewhere "$root/pre fix/share/servet" ;;
  a_link_for_the_cluster) mkdir "$root/pre fix/share/servet" && ln -s nowhere "$root/pre fix/share/servet/neptune" ;;
  beside_a_file) touch "$root/pre fix/share/modulefiles" ;;
  esac
}

@test "a prefix that cannot be written is reported before measuring" {
  local type
  for type in a_link_to_nowhere a_link_to_a_file a_link_for_the_cluster beside_a_file; do
    share $type
    fails 1 '*cannot install into */pre fix/share/servet: */pre fix/share/*' --nodes 1 --install --prefix "$root/pre fix"
    [ ! -e servet-neptune/job/n1-32M.sh ]
  done
  [ ! -s "$FAKE/log" ]
  share a_folder_elsewhere
  succeeds --nodes 1 --wait --install --prefix "$root/pre fix"
  cmp "$root/elsewhere/neptune/profile.json" servet-neptune/profile.json
  # Results are installed as a whole or not at all.
  share beside_a_file
  fails 1 '*cannot install into */pre fix/share/servet: */pre fix/share/modulefiles: *' --install --prefix "$root/pre fix"
  [ ! -e "$root/pre fix/share/servet" ]
}

@test "a user who may write only to the cluster's folder installs there, if another cluster is the default" {
  [ "$(id -u)" -eq 0 ] || skip "only root may become another user"
  command -v setpriv >/dev/null || skip "no setpriv here"
  succeeds --nodes 1 --wait --install --prefix "$root/pre fix" --name triton --message-size 1M
  mkdir "$to" && chmod 777 "$to" "$root/pre fix/share/modulefiles/servet"
  chmod -R go+rwX "$root/work" "$HOME" "$FAKE"
  local up=$root
  until [ "$up" = /tmp ] || [ -z "$up" ]; do
    chmod go+x "$up"
    up=${up%/*}
  done
  sh='setpriv --reuid=65534 --regid=65534 --clear-groups sh'
  ln -s "$(command -v setpriv)" "$bin/setpriv"
  succeeds --nodes 1 --wait --install --prefix "$root/pre fix" --output "$root/work/mine"
  [ -f "$to/profile.json" ]
  rm "${to%/*}/profile.json"
  fails 1 '*cannot install into */pre fix/share/servet: */pre fix/share/servet: the folder is not writable' \
    --install --prefix "$root/pre fix" --output "$root/work/mine"
}

@test "a modulefile for Lmod is written" {
  command -v lua >/dev/null || skip "no lua here"
  succeeds --nodes 1 --wait --install --prefix "$root/pre fix"
  local file="$root/pre fix/share/modulefiles/servet/neptune.lua"
  module() {
    lua - "$file" <<'END'
local file = arg[1]
function myFileName() return file end
function myModuleVersion() return file:match("([^/]+)%.lua$") end
function pathJoin(...) return table.concat({...}, "/") end
function isFile(name) local f = io.open(name); if f then f:close() end; return f ~= nil end
function whatis(text) print("whatis " .. text) end
function setenv(name, value) print(name .. "=" .. value) end
function prepend_path(name, value) print(name .. "+" .. value) end
dofile(file)
END
  }
  [ "$(module | grep -v whatis)" = "SERVET_PROFILE=$to/profile.json" ]
  mkdir "$root/pre fix/bin"
  touch "$root/pre fix/bin/servet"
  module | grep -qxF "PATH+$root/pre fix/bin"
  module | grep -qxF "LD_LIBRARY_PATH+$root/pre fix/lib"
}

@test "a modulefile for Environment Modules is written" {
  command -v tclsh >/dev/null || skip "no tclsh here"
  succeeds --nodes 1 --wait --install --prefix "$root/pre fix"
  local file="$root/pre fix/share/modulefiles/servet/neptune"
  [ "$(head -c 8 "$file")" = '#%Module' ]
  module() {
    tclsh <<END
proc module-whatis {text} {}
proc setenv {name value} { puts "\$name=\$value" }
proc prepend-path {name value} { puts "\$name+\$value" }
set ModulesCurrentModulefile {$file}
source \$ModulesCurrentModulefile
END
  }
  [ "$(module)" = "SERVET_PROFILE=$to/profile.json" ]
  mkdir "$root/pre fix/bin"
  touch "$root/pre fix/bin/servet"
  module | grep -qxF "PATH+$root/pre fix/bin"
}

# --- where the driver may lie ---------------------------------------------------------------------

# A profile of two levels of cache, as if measured into "$root/work/out" by somebody.
real_profile() {
  mkdir -p "$root/work/out/job"
  ${CC:-cc} -o "$root/two_levels" "$SOURCE_ROOT/tests/drivers/two_levels.c" -I "$SOURCE_ROOT/include" \
    -I "$BUILD_ROOT/include" -L "$BUILD_ROOT/src" -lservet
  LD_LIBRARY_PATH=$BUILD_ROOT/src "$root/two_levels" "$root/work/out/profile.json"
}

@test "an installation under a prefix with a blank, made with DESTDIR, is found and used" {
  meson install -C "$BUILD_ROOT" --no-rebuild --destdir "$root/dest dir" >/dev/null
  local file
  file=$(find "$root/dest dir" -path '*/bin/servet-job')
  [ -x "$file" ]
  local prefix=${file%/bin/servet-job}
  fake servet-mpi "${file%/*}" servet-mpi
  real_profile
  # shellcheck disable=SC2154 # set in batch.bash
  run env PATH="$bin" "$file" --install --output "$root/work/out"
  [ "$status" -eq 0 ]
  [[ $output == *"/share/servet/neptune/profile.json"* ]]
  [ "$("$prefix/bin/servet" get caches.count "$prefix/share/servet/neptune")" = 2 ]
  [ -f "$prefix/share/modulefiles/servet/neptune.lua" ]
  [ "$(grep -c '@LIBDIR@' "$prefix/share/modulefiles/servet/neptune")" -eq 0 ]
  run env PATH="$bin" "$file" --nodes 1 --dry-run
  [[ $output == *"bin/servet-mpi' measure"* ]]
  # A link to it, from elsewhere, and the site's file of the installation.
  ln -s "$file" "$root/linked"
  echo 'name = sitename' >"$prefix/share/servet/site.conf"
  run env -u SERVET_NAME PATH="$bin" "$root/linked" --nodes 1 --dry-run
  [[ $output == *"servet-sitename"* ]]
}

@test "servet check decides whether a profile is installed" {
  real_profile
  sed -i 's/"trusted": true/"trusted": false/' "$root/work/out/profile.json"
  export XDG_DATA_HOME=$root/data
  run env PATH="$bin" "$BUILD_ROOT/drivers/servet-job" --install --output "$root/work/out"
  [ "$status" -eq 1 ]
  [[ $output == *'not installed: not fit for use: L1 and L2 not trusted; '* ]]
  [ ! -e "$root/data/servet" ]
  run env PATH="$bin" "$BUILD_ROOT/drivers/servet-job" --install --force --output "$root/work/out"
  [ "$status" -eq 0 ]
}

@test "the build tree uses its own servet, and programs find the profile installed for the user" {
  real_profile
  XDG_DATA_HOME=$root/data run env PATH="$bin" "$BUILD_ROOT/drivers/servet-job" --install --output "$root/work/out"
  [ "$status" -eq 0 ]
  [ "$(XDG_DATA_HOME=$root/data "$BUILD_ROOT/servet" get caches.count)" = 2 ]
  chmod o+w "$root/data/servet/neptune"
  XDG_DATA_HOME=$root/data run "$BUILD_ROOT/servet" get caches.count
  [ "$status" -eq 1 ]
  [[ $output == *"refused: "*"/data/servet/neptune is writable by everybody" ]]
}

# --- this machine ---------------------------------------------------------------------------------

@test "without --wait the process continues in the background, and a second one is refused" {
  touch "$FAKE/stay"
  succeeds --nodes 1
  [[ $output == "job "*"@$(uname -n) submitted: n1-32M, output in "* ]]
  fails 1 "*is already being measured: job *@$(uname -n), *" --nodes 1
  rm "$FAKE/stay"
  eventually is_done servet-neptune
  succeeds --nodes 1 --wait
}

@test "a limit of file sizes is an error in one line" {
  output=$( (ulimit -f 0 && PATH=$bin exec sh "$tree/drivers/servet-job" --nodes 1 --wait) 2>&1 >/dev/null </dev/null | cat)
  [[ $output == "servet: servet-job: cannot write "*"/job/lock."* && $output != *$'\n'* ]]
  [ -z "$(find servet-neptune -type f)" ]
}

# Each commit sends SIGINT to a driver that waits for Slurm (servet_job_slurm.bats).
@test "signals end the processes, and --resume continues" {
  local signal
  for signal in ${SERVET_THOROUGH:+2} 15; do
    touch "$FAKE/stay"
    rm -f "$root/stderr" # of the signal before
    # shellcheck disable=SC2154 # set in batch.bash
    (PATH=$bin exec env --default-signal=INT sh "$tree/drivers/servet-job" --nodes 1 --wait \
      >"$root/stdout" 2>"$root/stderr" </dev/null 3>&-) &
    waiter=$!
    eventually grep -q '^measuring' "$root/stderr"
    kill -"$signal" "$waiter"
    status=0
    wait "$waiter" || status=$?
    [ "$status" -eq $((128 + signal)) ]
    grep -qx stopped servet-neptune/job/n1-32M.log
    [ "$(cat servet-neptune/job/n1-32M.state)" = 'ended told to end, status 143' ]
    rm "$FAKE/stay"
    succeeds --resume --wait
    grep -q 32M,resumed servet-neptune/profile.json
  done
}
