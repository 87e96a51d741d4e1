package io.pmstore.proxy.bean;

import java.util.regex.Pattern;

/**
 * What is known about methods without their code: from their names, descriptors and classes. Names
 * of classes have dots; a key is a name and a descriptor.
 */
final class KnownMethods {
  private static final String ONE = "\\[*(L[^;]+;|[BCDFIJSZ])"; // a parameter
  private static final Pattern READER =
      Pattern.compile(
          "equals\\(Ljava/lang/Object;\\)Z|hashCode\\(\\)I|toString\\(\\)Ljava/lang/String;"
              + ("|finalize\\(\\)V|compareTo\\(" + ONE + "\\)I")
              + ("|compare\\(" + ONE + ONE + "\\)I"));
  private static final Pattern GETTER = Pattern.compile("(get|is|has)\\p{Lu}.*");
  private static final Pattern MUTATOR =
      Pattern.compile(
          "(add|insert|remove|put|set|clear|retain|replace|compute|merge|push|pop|poll|offer|sort"
              + "|swap|shuffle|reverse|rotate|fill|take|drain).*");

  // Methods that change a collection and whose names do not tell.
  private static final Pattern CHANGES_COLLECTION =
      Pattern.compile("java\\.util\\.(Collections\\.copy|Properties\\.load.*)");

  // The interfaces of persistent collections, and classes that change collections passed to them.
  private static final Pattern COLLECTION =
      Pattern.compile(
          "java\\.util\\.(Collections?|((Sequenced|Sorted|Navigable)?(Set|Map))|List|Queue|Deque"
              + "|SequencedCollection|Map\\$Entry|(List)?Iterator|concurrent\\.\\w*Map)");

  // The classes of dates, calendars and time zones, and their methods that change one.
  private static final Pattern DATE =
      Pattern.compile(
          "java\\.sql\\..*|java\\.util\\.(Date|(Gregorian)?Calendar|(Simple)?TimeZone)");
  private static final Pattern CHANGES_DATE = Pattern.compile("(set|add|roll|clear).*");

  // The methods of other classes of dates, calendars and time zones that change none.
  private static final Pattern READS_DATE =
      Pattern.compile(
          "(get|is|has|to|compare|before|after|format|in|use|observes)(\\p{Lu}.*)?|after|before"
              + "|equals|hashCode|clone|<init>");

  // Methods that do not change what is passed to them, and keep it in a stream or Optional at most.
  private static final Pattern ONLY_READS =
      Pattern.compile(
          "java\\.util\\.Arrays\\.(equals|hashCode|toString|copyOf.*|stream|binarySearch|deep.*"
              + "|mismatch|compare.*)\\(.*"
              + "|java\\.lang\\.(String|StringBuilder)\\.(?!getChars|getBytes).*"
              + "|java\\.lang\\.(Math|Integer|Long|Boolean)\\..*"
              + "|(java\\..*|\\[.*)\\.clone\\(\\).*"
              + "|java\\.text\\.\\w+\\.(format|parse).*"
              + "|java\\.(math|time|util\\.stream)\\..*"
              + "|java\\.util\\.(Objects|UUID|HexFormat|Optional\\w*)\\..*"
              + "|java\\.util\\.Base64\\$\\w+\\.\\w+\\(\\[B\\).*");

  // Functions to which an object can be passed.
  private static final Pattern FUNCTION =
      Pattern.compile("Ljava/util/function/(?!Int|Long|Double|Boolean|Supplier).*");

  private KnownMethods() {}

  /** Returns true for the methods that nobody expects to write, whatever their class. */
  static boolean isReader(String key) {
    return READER.matcher(key).matches();
  }

  /** Returns true for a method of the JDK that neither changes nor gives away its arguments. */
  static boolean onlyReads(String owner, String key) {
    return ONLY_READS.matcher(owner + "." + key).matches();
  }

  static boolean isGetter(String name) {
    return GETTER.matcher(name).matches();
  }

  /** Returns true if a method, of which there is no code, has the form of an accessor. */
  static boolean isLikeAccessor(String name, String descriptor) {
    return isGetter(name)
        || (descriptor.startsWith("()") && !descriptor.endsWith("V") && !isMutator(name));
  }

  /** Returns true for the name of a method that changes its collection. */
  static boolean isMutator(String name) {
    return MUTATOR.matcher(name).matches();
  }

  /** Returns true if a method, of a class of collections, changes one. */
  static boolean changesCollection(String owner, String name) {
    return isMutator(name) || CHANGES_COLLECTION.matcher(owner + "." + name).matches();
  }

  static boolean isCollection(String owner) {
    return COLLECTION.matcher(owner).matches() || CollectionClasses.contains(owner);
  }

  /** Returns true for a class of the JDK of dates, calendars or time zones. */
  static boolean isDate(String owner) {
    return DATE.matcher(owner).matches();
  }

  /** Returns true if a method, of a class of dates, calendars or time zones, changes one. */
  static boolean changesDate(String owner, String name) {
    return isDate(owner)
        ? CHANGES_DATE.matcher(name).matches()
        : !READS_DATE.matcher(name).matches();
  }

  /** Returns true for the descriptor of a function of the JDK to which objects are passed. */
  static boolean isFunctionOfObjects(String descriptor) {
    return FUNCTION.matcher(descriptor).matches();
  }
}
