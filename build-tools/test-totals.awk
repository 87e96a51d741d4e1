# Adds up the reports of Surefire (the XML files, one after the other), and names every test that was skipped or failed.
# Exits with 1 when a test failed or none ran.

function attribute(name,    from, rest) {
  from = index($0, " " name "=\"")
  if (from == 0) return ""
  rest = substr($0, from + length(name) + 3)
  return substr(rest, 1, index(rest, "\"") - 1)
}

# The message of a skipped or failed test: an attribute, or the first line of the exception.
function message(    text) {
  text = attribute("message")
  if (text == "" && index($0, "<![CDATA[") > 0) {
    text = substr($0, index($0, "<![CDATA[") + 9)
    sub(/\]\]>.*/, "", text)
  }
  gsub(/&quot;/, "\"", text)
  gsub(/&apos;/, "'", text)
  gsub(/&lt;/, "<", text)
  gsub(/&gt;/, ">", text)
  gsub(/&#10;/, " ", text)
  gsub(/&amp;/, "\\&", text)
  return text
}

/<testsuite / {
  tests += attribute("tests")
  failed += attribute("failures") + attribute("errors")
  skipped += attribute("skipped")
}

/<testcase / { test = attribute("classname") "." attribute("name") }

/<skipped/ { reasons = reasons "SKIPPED " test ": " message() "\n" }

/<(failure|error)[ >]/ { reasons = reasons "FAILED " test ": " message() "\n" }

END {
  printf "\n%s", reasons
  printf "%d passed, %d failed, %d skipped\n", tests - failed - skipped, failed, skipped
  if (failed > 0) exit 1
  if (tests - skipped <= 0) {
    print "no test ran"
    exit 1
  }
}
