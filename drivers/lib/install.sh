# shellcheck shell=sh
# SPDX-License-Identifier: BSD-3-Clause
# Installs the result where programs find it: PLACE/NAME/profile.json with raw series, scripts and logs
# beside it, a link PLACE/profile.json to the first cluster, and modulefiles.

# Checks all folders that will be written. If a user may write only to the cluster's folder, the link stays unchanged.
check_prefix() {
  check_folder "$place/$opt_name"
  check_folder "$modules"
  finds_another || check_folder "$place"
}

# Exits if folder $1, or its nearest existing parent, is not writable. A dangling link counts as existing.
check_folder() {
  there=$1
  until [ -e "$there" ] || [ -h "$there" ]; do
    there=${there%/*}
    [ -n "$there" ] || there=/
  done
  if ! [ -d "$there" ] || ! [ -w "$there" ]; then
    die "cannot install into $place: $there: $(why_not "$there")"
  fi
}

# Succeeds if programs use another cluster's profile by default.
finds_another() {
  [ -h "$place/profile.json" ] && [ -f "$place/profile.json" ] || return 1
  [ -f "$place/$opt_name/profile.json" ] || return 0
  cmp -s -- "$place/profile.json" "$place/$opt_name/profile.json" 2>/dev/null
  case $? in
  0) return 1 ;;
  1) return 0 ;;
  *) die "cannot compare $place/profile.json with $place/$opt_name/profile.json: one of them cannot be read" ;;
  esac
}

install_result() {
  check_result
  check_prefix
  to=$place/$opt_name
  this_host=$(uname -n)
  new=$to/.new.$this_host.$$
  sweep_dead "$to/.new.$this_host"
  sweep_dead "$place/.profile.$this_host"
  trap 'discard "$new"; withdraw; give_locks_back' EXIT
  reason=$(mkdir -p -- "$new" 2>&1) || die "cannot create a folder in $to: $(of_tool "$to" "$reason")"
  reason=$(gather_result 2>&1) || die "cannot install into $to: $(of_tool "$to" "$reason"); nothing was changed"
  reason=$(replace_all 2>&1) || {
    put_old_back 2>/dev/null || die "cannot install into $to: $(of_tool "$to" "$reason"); what was moved aside is in $to/raw.1 or $to/job.1"
    die "cannot install into $to: $(of_tool "$to" "$reason"); nothing was changed"
  }
  discard "$new"
  install_modulefiles
  one_line "module file: users run 'module use ${modules%/*}' and 'module load servet/$opt_name'"
  one_line "installed: $to/profile.json"
  link_default
}

# Exits if the profile cannot be read, if the measurement is incomplete, or if facts are not trusted: all programs of the
# site would use the profile.
check_result() {
  [ -f "$opt_output/profile.json" ] || die "$opt_output has no profile"
  for script in "$job"/n*.sh; do
    run=${script##*/}
    run=${run%.sh}
    hear "$run"
    [ ! -f "$script" ] || [ "$says" = "done" ] ||
      die "$run is not measured yet; servet-job --resume --output $(quote_words "$opt_output")" \
        "submits it"
  done
  if servet=$(find_program servet); then
    reason=$("$servet" show "$opt_output/profile.json" 2>&1 >/dev/null) || die "not installed: $reason"
    reason=$("$servet" check --fitness "$opt_output/profile.json" 2>&1) || [ "$opt_force" ] ||
      die "not installed: $reason (--force installs it all the same)"
  fi
}

# Writes all new files to the disk completely, before any old file changes.
gather_result() {
  mkdir -p -- "$new/raw" "$new/job" &&
    cp -- "$opt_output/profile.json" "$new/profile.json" &&
    cmp -s -- "$opt_output/profile.json" "$new/profile.json" &&
    gather_raw &&
    gather_jobs &&
    chmod -R u=rwX,go=rX -- "$new" &&
    { sync -- "$new/profile.json" 2>/dev/null || :; }
}

gather_raw() {
  for series in "$opt_output"/runs/n*/raw; do
    run=${series%/raw}
    [ ! -d "$series" ] || cp -R -- "$series" "$new/raw/${run##*/}" || return 1
  done
}

gather_jobs() {
  for file in "$job"/n*.sh "$job"/n*.log "$job"/n*.report "$job"/n*.out; do
    [ ! -f "$file" ] || cp -- "$file" "$new/job" || return 1
  done
}

# Replaces the profile last: until then, the old series can be put back. At every moment there is a profile, the old one
# or the new one.
replace_all() {
  replace_folder raw && replace_folder job && replace_profile
}

# Replaces folder $1 and keeps the old one as $1.1. An older $1.1 is removed.
replace_folder() {
  if [ -d "$to/$1" ]; then
    rm -rf -- "$to/$1.1" && mv -- "$to/$1" "$to/$1.1" || return 1
  fi
  mv -- "$new/$1" "$to/$1"
}

# Restores the old folders after a failure of replace_all.
put_old_back() {
  for folder in raw job; do
    [ -d "$new/$folder" ] || rm -rf -- "${to:?}/$folder"
    [ -d "$to/$folder" ] || [ ! -d "$to/$folder.1" ] || mv -- "$to/$folder.1" "$to/$folder" ||
      return 1
  done
}

replace_profile() {
  if [ -f "$to/profile.json" ]; then
    ln -f -- "$to/profile.json" "$to/profile.json.1" 2>/dev/null ||
      cp -p -- "$to/profile.json" "$to/profile.json.1" || return 1
  fi
  mv -f -- "$new/profile.json" "$to/profile.json"
}

# Installs two module files: Lmod reads the first one, older systems the second. Both derive the prefix and the cluster
# from their own path.
install_modulefiles() {
  templates=$data/modulefile
  [ -n "$data" ] || templates=$lib/../../share/modulefile
  reason=$(mkdir -p -- "$modules" 2>&1) || die "cannot create the folder $modules: $(of_tool "$place" "$reason")"
  write_file "$modules/$opt_name.lua" sed "s|@LIBDIR@|$libdir|" "$templates/servet.lua"
  write_file "$modules/$opt_name" sed "s|@LIBDIR@|$libdir|" "$templates/servet.tcl"
}

# Makes the profile the default of programs, unless a cluster was installed before. An earlier profile of a single node
# is kept as profile.json.1.
link_default() {
  default=$place/profile.json
  if finds_another; then
    note "the default profile is that of another cluster: for this one, load the module servet/$opt_name" \
      "or set SERVET_PROFILE"
    return
  fi
  if [ -f "$default" ] && ! [ -h "$default" ]; then
    move "$default" "$default.1"
    one_line "previous profile: $default.1"
  fi
  link=$place/.profile.$this_host.$$
  reason=$({ ln -s -- "$opt_name/profile.json" "$link" && mv -f -- "$link" "$default"; } 2>&1) || {
    discard "$link"
    die "cannot make $default the default profile: $(of_tool "$place" "$reason"); $to/profile.json is installed"
  }
}
