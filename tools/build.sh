# shellcheck shell=bash
# Shared by tools/demo and tools/test: packages, configuration, build. Meant to be sourced.

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
build=$root/build

say() { printf '\n== %s\n' "$*"; }
die() { printf '%s: %s\n' "$(basename "$0")" "$*" >&2; exit 1; }

# Prints the packages of tools/packages.txt that are not installed, of the kinds that the arguments
# name: needed, optional, slow.
missing_packages() {
  local package name status kind
  while read -r package name _; do
    case $package in
      ''|'#'*) continue ;;
      optional|slow) kind=$package; package=$name ;;
      *) kind=needed ;;
    esac
    case " $* " in *" $kind "*) ;; *) continue ;; esac
    status=$(dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null) || status=absent
    [ "$status" = installed ] || printf '%s\n' "$package"
  done < "$root/tools/packages.txt"
}

# Installs what is missing, and asks for nothing when nothing is. With the argument `slow` also what
# the slow tests start.
install_packages() {
  command -v dpkg-query >/dev/null && command -v apt-get >/dev/null ||
    die "this script installs Debian packages. On another system install the counterparts of tools/packages.txt, then: cmake --workflow --preset release"
  local missing as_root=() kinds=(needed)
  if [ "${1:-}" = slow ]; then
    kinds=(needed optional slow)
  else
    mapfile -t missing < <(missing_packages optional)
    [ ${#missing[@]} -eq 0 ] || say "Packages: not installed, as only optional components use them: ${missing[*]}"
  fi
  mapfile -t missing < <(missing_packages "${kinds[@]}")
  if [ ${#missing[@]} -eq 0 ]; then
    say "Packages: all that are needed are installed"
    return
  fi
  say "Packages: installing ${missing[*]}"
  if [ "$(id -u)" -ne 0 ]; then
    command -v sudo >/dev/null ||
      die "not root and no sudo. As root, run: apt-get install ${missing[*]}"
    as_root=(sudo)
  fi
  "${as_root[@]}" apt-get update
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends "${missing[@]}" ||
    die "the packages could not be installed: ${missing[*]}"
}

# Configures the release preset into build/ and builds the given targets (default: all).
build_release() {
  say "Configuring build/ (cmake --preset release)"
  local launcher
  launcher=$(command -v ccache) || launcher=
  # ccache leaves what takes precompiled headers alone, unless it is told what to overlook.
  [ -z "$launcher" ] || launcher="env;CCACHE_SLOPPINESS=pch_defines,time_macros;$launcher"
  (cd "$root" && cmake --preset release -DCMAKE_CXX_COMPILER_LAUNCHER="$launcher") ||
    die "the configuration failed (messages above)"
  say "Building${*:+ $*}"
  local targets=()
  [ $# -eq 0 ] || targets=(--target "$@")
  cmake --build "$build" "${targets[@]}" || die "the build failed (messages above)"
}
