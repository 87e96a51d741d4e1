#!/usr/bin/env bash
# Runs the command line tool for stores, and builds it first where it is missing or older than its sources.
# PM_JAVA_OPTIONS has options for the JVM, such as -Xmx8g.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
source "$root/build-tools/environment.sh"

# An exit code of 1 is an answer of the tool, which has not run yet.
trap '(($? != 1)) || exit 3' EXIT

jar=$root/pmstore-cli/target/pm.jar

built() {
  local newer
  [[ -s $jar ]] || return 1
  newer=$(cd "$root" && find pom.xml ./pmstore*/pom.xml ./pmstore*/src/main -newer "$jar" -print -quit)
  [[ -z $newer ]]
}

require_jdk
if ! built; then
  echo "Building pm; the first time Maven downloads what it needs, which can take a few minutes." >&2
  rm -f "$jar"
  (cd "$root" && ./mvnw -q -B -pl pmstore-cli -am -DskipTests package) >&2
fi

# shellcheck disable=SC2086 # options are separate words
exec "$JAVA_HOME/bin/java" --enable-native-access=ALL-UNNAMED --sun-misc-unsafe-memory-access=allow \
  ${PM_JAVA_OPTIONS:-} -jar "$jar" "$@"
