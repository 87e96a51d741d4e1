# shellcheck shell=bash
# What ./check and ./demo share: finding a JDK, installing the native libraries. To be sourced by bash.

JDK_VERSION_MIN=25
NATIVE_PACKAGES=(libpmem1 libpmemobj1 libpmempool1)

# Prints the directories where a JDK may be, the likeliest first.
jdk_candidates() {
  local java
  printf '%s\n' "${JAVA_HOME:-}" "${JAVA25_HOME:-}" "${JAVA_HOME_25_X64:-}" "${JAVA_HOME_25_ARM64:-}"
  if java=$(command -v java) && java=$(readlink -f "$java" 2>/dev/null); then
    printf '%s\n' "${java%/bin/java}"
  fi
  printf '%s\n' /usr/lib/jvm/* /opt/java/* "$HOME"/.sdkman/candidates/java/* "$HOME"/.jdks/* \
    "$HOME"/.local/share/mise/installs/java/* "$HOME"/.asdf/installs/java/*
  printf '%s/Contents/Home\n' /Library/Java/JavaVirtualMachines/* "$HOME"/Library/Java/JavaVirtualMachines/*
}

# Exports JAVA_HOME: a JDK of at least JDK_VERSION_MIN. Ends the script with a message where there is none.
require_jdk() {
  local home version found=()
  while IFS= read -r home; do
    [[ -n $home && -x $home/bin/javac && -r $home/release ]] || continue
    version=$(sed -n 's/^JAVA_VERSION="\([^"]*\)".*/\1/p' "$home/release")
    if [[ ${version%%[.+-]*} =~ ^[0-9]+$ ]] && ((${version%%[.+-]*} >= JDK_VERSION_MIN)); then
      export JAVA_HOME=$home
      return
    fi
    found+=("  Java ${version:-of unknown version} in $home")
  done < <(jdk_candidates)
  {
    echo "pmstore needs a JDK $JDK_VERSION_MIN or newer (with javac), and none was found."
    if ((${#found[@]} > 0)); then
      echo "Found, but too old:"
      printf '%s\n' "${found[@]}" | sort -u
    fi
    echo "Install one (from https://adoptium.net, say), or set JAVA_HOME to where it is, and run this again."
  } >&2
  exit 1
}

native_libraries_present() {
  local listed package
  # A user's PATH may lack sbin.
  listed=$(PATH=$PATH:/sbin:/usr/sbin ldconfig -p 2>/dev/null) || return 1
  for package in "${NATIVE_PACKAGES[@]}"; do
    [[ $listed == *"${package%1}.so.1 "* ]] || return 1
  done
}

# Installs the libraries of PMDK where they are missing and can be had. Says loudly when they stay missing, which is no
# failure: all but LLPL and persistent memory works without them.
install_native_libraries() {
  native_libraries_present && return
  local log as_root=()
  if ((EUID != 0)); then
    as_root=(sudo -n)
  fi
  if ! command -v apt-get >/dev/null; then
    native_libraries_missing "this system has no apt-get"
  elif ((EUID != 0)) && ! sudo -n true 2>/dev/null; then
    native_libraries_missing "installing them needs root, and sudo asks for a password"
  else
    echo "Installing ${NATIVE_PACKAGES[*]} with apt-get" >&2
    log=$(mktemp)
    # An old package list is the usual cause of a failed first try.
    if ! apt_install ${as_root[@]+"${as_root[@]}"} >"$log" 2>&1; then
      { ${as_root[@]+"${as_root[@]}"} apt-get update -q && apt_install ${as_root[@]+"${as_root[@]}"}; } >>"$log" 2>&1 || true
    fi
    if ! native_libraries_present; then
      native_libraries_missing "apt-get could not: $(tail -n 3 "$log" | tr '\n' ' ')"
    fi
    rm -f "$log"
  fi
}

apt_install() {
  "$@" env DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends "${NATIVE_PACKAGES[@]}"
}

native_libraries_missing() {
  cat >&2 <<EOF
*******************************************************************************
* The native libraries ${NATIVE_PACKAGES[*]} are missing:
* $1.
* Whatever needs LLPL or persistent memory is SKIPPED. To have it, install them:
*   sudo apt-get install ${NATIVE_PACKAGES[*]}
*******************************************************************************
EOF
}
